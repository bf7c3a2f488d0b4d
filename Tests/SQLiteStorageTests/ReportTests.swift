import CSQLite
import Foundation
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("What a storage reports")
struct ReportTests {
  private static let constraint = "SQLite error 1299: constraint failed"

  private static func withStorage(
    logLimits: WriteAheadLog.Limits = WriteAheadLog.Limits(),
    _ test: (TestDatabase, SQLiteStorage) async throws -> Void
  ) async throws {
    let database = try TestDatabase()
    let storage = try database.open(logLimits: logLimits)
    try await test(database, storage)
    await storage.close()
  }

  @Test("is every write that fails for another reason than a rule, without its values")
  func writes() async throws {
    try await Self.withStorage { database, storage in
      let insert = "INSERT INTO users VALUES (?1, ?2, ?2, ?2, ?2, NULL, NULL, 0, NULL)" as StaticString
      await #expect(throws: SQLiteError.self) {
        try await storage.writer.write {
          try $0.statement(insert).run([.integer(1), .text("secret")])
        }
      }
      #expect(database.reports.withLock { $0 } == ["A write failed: \(Self.constraint)."])
      storage.writer.writeSoon {
        try $0.statement(insert).run([.integer(1), .text("secret")])
      } onEnd: {
        #expect(!$0)
      }
      try await storage.writer.write { _ in }
      #expect(
        database.reports.withLock { $0 } == Array(repeating: "A write failed: \(Self.constraint).", count: 2))
    }
  }

  @Test("is no refusal that a rule wants")
  func rules() async throws {
    try await Self.withStorage { database, storage in
      let office = try await TestOffice(in: storage)
      try await office.keep(0, isActive: true)
      await #expect(throws: TimeclockError.self) { try await office.keep(5, isActive: true) }
      await #expect(throws: TimeclockError.self) { try await office.keep(5) }
      await #expect(throws: TimeclockError.notFound(.member)) {
        try await storage.updateMember(
          UserID(high: 1, low: 1), in: office.member.key.organization, expectedVersion: nil,
          passwordHash: nil,
          context: .test(at: TestDatabase.now)
        ) { _ in }
      }
      #expect(database.reports.withLock { $0 } == [])
    }
  }

  @Test("is a commit that fails")
  func commits() async throws {
    try await Self.withStorage { database, storage in
      let office = try await TestOffice(in: storage)
      await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) {
        try await storage.writer.write { transaction in
          sqlite3_commit_hook(transaction.connection.handle, { _ in 1 }, nil)
          try transaction.connection.execute("UPDATE organizations SET name = 'secret'")
        }
      }
      await #expect(throws: TimeclockError.self) { try await office.keep(0) }
      #expect(
        database.reports.withLock { $0 } == [
          "A commit failed, and nobody knows what is on disk: SQLite error 531: constraint failed."
        ])
    }
  }

  @Test("is a read that fails")
  func reads() async throws {
    try await Self.withStorage { database, storage in
      #expect(throws: SQLiteError.self) { try storage.read { try $0.execute("SELECT * FROM nothing") } }
      #expect(throws: MalformedRow.self) { try storage.read { _ in throw MalformedRow(column: "id") } }
      #expect(throws: TimeclockError.invalidToken) {
        try storage.read { _ in throw TimeclockError.invalidToken }
      }
      #expect(
        database.reports.withLock { $0 } == [
          "A read failed: SQLite error 1: SQL logic error.",
          "A read failed: A row's column id holds what this program never writes.",
        ])
    }
  }

  @Test("is a checkpoint that fails")
  func checkpoints() async throws {
    try await Self.withStorage(logLimits: WriteAheadLog.Limits(quiet: 1)) { database, storage in
      // A statement that is not at its end keeps its own connection from checkpoints (SQLITE_LOCKED).
      try await storage.writer.write { transaction in
        try transaction.connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)")
        var statement: OpaquePointer?
        sqlite3_prepare_v2(transaction.connection.handle, "SELECT x FROM t", -1, &statement, nil)
        sqlite3_step(statement)
      }
      for _ in 0..<2_000 where database.reports.withLock(\.isEmpty) {
        try await Task.sleep(for: .milliseconds(10))
      }
      let reports = database.reports.withLock { $0 }
      #expect(reports.first == "A checkpoint failed: SQLite error 6: database table is locked.")
      try await storage.writer.write { transaction in
        var statement = sqlite3_next_stmt(transaction.connection.handle, nil)
        while statement != nil, sqlite3_stmt_busy(statement) == 0 {
          statement = sqlite3_next_stmt(transaction.connection.handle, statement)
        }
        sqlite3_finalize(statement)
      }
    }
  }
}
