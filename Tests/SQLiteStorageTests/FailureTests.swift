import CSQLite
import Foundation
import Synchronization
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("Writes that cannot be done")
struct FailureTests {
  private static let unavailable = TimeclockError.unavailable(retryAfterSeconds: 1)

  @Test("for want of space are refused whole, reads go on, and writes resume")
  func fullDisk() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    try await office.keep(0)
    let pages = try await storage.writer.write { transaction in
      let pages = try transaction.connection.text("PRAGMA page_count")
      _ = try transaction.connection.text("PRAGMA max_page_count = \(pages)")
      return pages
    }
    var kept = 1
    var error: (any Error)?
    while kept < 5_000, error == nil {
      do {
        try await office.keep(kept, notes: String(repeating: "x", count: 400))
        kept += 1
      } catch let refusal { error = refusal }
    }
    #expect(error as? TimeclockError == .storageFull)
    let before = try await office.list()
    #expect(before.count == kept)
    await #expect(throws: TimeclockError.storageFull) {
      try await office.keep(kept, notes: String(repeating: "x", count: 4_000))
    }
    #expect(try await office.list() == before)
    try await storage.writer.write { _ = try $0.connection.text("PRAGMA max_page_count = \(pages)0") }
    let resumed = try await office.keep(kept, notes: String(repeating: "x", count: 4_000))
    #expect(try await office.list() == [resumed] + before)
    #expect(database.failures.withLock { $0 } == 0)
    await storage.close()
    let again = try database.open()
    let listed = try await again.timeEntry(resumed.id, in: office.member.key.organization)
    #expect(listed == resumed)
    await again.close()
  }

  @Test("by a commit of unknown outcome end the storage, and say so once")
  func failedCommit() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    // A commit hook that refuses gives COMMIT an error of its own (sqlite.org/c3ref/commit_hook.html).
    await #expect(throws: Self.unavailable) {
      try await storage.writer.write { transaction in
        sqlite3_commit_hook(transaction.connection.handle, { _ in 1 }, nil)
        try transaction.connection.execute("UPDATE organizations SET name = 'Lost'")
      }
    }
    #expect(database.failures.withLock { $0 } == 1)
    for _ in 0..<2 {
      await #expect(throws: Self.unavailable) { try await office.keep(0) }
      await #expect(throws: Self.unavailable) { try await office.list() }
      await #expect(throws: Self.unavailable) { try await storage.checkReadiness() }
      await #expect(throws: Self.unavailable) {
        try await storage.authenticate(office.token, organizationID: nil, at: TestDatabase.now)
      }
    }
    #expect(database.failures.withLock { $0 } == 1)
    let log = database.size("-wal")
    await storage.close()
    // The log's content is unknown: only a new start may move it into the database.
    #expect(log > 0)
    #expect(database.size("-wal") == log)
    let again = try database.open()
    #expect(try await again.organization(office.member.key.organization).name == "Acme")
    await again.close()
  }

  @Test("at the end of a statement that has given its row already are not overlooked")
  func lateFailure() throws {
    let setting = "PRAGMA journal_mode = WAL"
    let ways: [(SQLiteConnection) throws -> String?] = [
      { try $0.text(setting) }, { try $0.statement(built: setting).first([]) { $0.text(0) } },
    ]
    for way in ways {
      let database = try TestDatabase()
      let connection = try database.connection()
      sqlite3_commit_hook(connection.handle, { _ in 1 }, nil)
      #expect(throws: SQLiteError.self) { try way(connection) }
      connection.close()
    }
  }

  @Test("leave nothing of themselves among others that share their commit")
  func savepoints() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    // The writer is kept busy until the others wait, so that they share one transaction.
    async let slow: Void = storage.writer.write { _ in usleep(300_000) }
    try await Task.sleep(for: .milliseconds(100))
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<9 {
        group.addTask {
          do {
            try await storage.writer.write { transaction in
              try transaction.statement(
                "INSERT INTO users VALUES (?1, randomblob(16), '', ?2, '', NULL, 0, 0, NULL)"
              ).run([.integer(Int64(100 + number)), .text("user \(number)")])
              if number % 3 == 0 { throw TimeclockError.invalidName }
            }
            return true
          } catch {
            return false
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    try await slow
    #expect(outcomes == 6)
    let users = try storage.read {
      try $0.statement("SELECT user_id FROM users WHERE user_id >= 100 ORDER BY user_id").all([]) {
        $0.integer(0)
      }
    }
    #expect(users == [101, 102, 104, 105, 107, 108])
    try await office.keep(0)
    await storage.close()
  }

  @Test("are not announced to a task that waits for a change, though others of their commit succeed")
  func commitNotice() async throws {
    let notices = Mutex(0)
    await #expect(throws: TimeclockError.invalidName) {
      try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
        let write = AwaitedWrite(
          length: .short(nil), body: { _ in }, onCommit: { notices.withLock { $0 += 1 } },
          continuation: continuation)
        write.note(failure: TimeclockError.invalidName)
        write.finish()
      }
    }
    #expect(notices.withLock { $0 } == 0)
  }

  @Test("never trap on rows that no program of ours wrote")
  func oddRows() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    let entry = try await office.keep(0)
    let damages = [
      "UPDATE time_entries SET time_zone = '../etc/passwd'", "UPDATE time_entries SET id = x'00'",
      "UPDATE time_entries SET source = 'elsewhere'", "UPDATE time_entries SET time_zone = ''",
    ]
    for damage in damages {
      let error = try await storage.writer.write { transaction in
        try transaction.connection.execute("PRAGMA ignore_check_constraints = ON; SAVEPOINT odd; \(damage)")
        defer { try? transaction.connection.execute("ROLLBACK TO odd; RELEASE odd") }
        do {
          let rows = TimeEntryRows(connection: transaction.connection, identifiers: storage.identifiers)
          _ = try transaction.statement(
            SQLiteText("SELECT \(TimeEntryRows.columns) FROM time_entries e")
          ).first([], rows.entry)
          return nil as MalformedRow?
        } catch let error as MalformedRow {
          return error
        }
      }
      // A fault of the database's, which no trying again later helps.
      #expect(error != nil, "\(damage)")
      #expect(error?.refusal as? MalformedRow == error, "\(damage)")
    }
    // Numbers beyond the domain's range are cut, not trapped on; the others stay readable.
    try await storage.writer.write { transaction in
      try transaction.connection.execute(
        """
        UPDATE time_entries SET date = 9223372036854775807, offset_seconds = -9223372036854775808,
          version = 9223372036854775807, flags = -1, updated_at = -9223372036854775808
        """)
    }
    let odd = try await storage.timeEntry(entry.id, in: office.member.key.organization)
    #expect(odd?.date == .latest)
    #expect(odd?.version == .max)
    #expect(try await office.list().count == 1)
    await storage.close()
  }
}
