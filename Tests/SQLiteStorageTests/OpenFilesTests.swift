import Foundation
import Synchronization
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("The files of an open database")
struct OpenFilesTests {
  private static let unavailable = TimeclockError.unavailable(retryAfterSeconds: 1)

  /// Accidents to the files while a server runs.
  enum Mishap: CaseIterable, Sendable {
    case databaseRemoved, databaseReplaced, databaseOverwritten, databaseEmptied
    case logRemoved, logReplaced, indexRemoved, lockRemoved, lockReplaced

    func happen(to database: TestDatabase) throws {
      let files = FileManager.default
      let path = database.path
      switch self {
      case .databaseRemoved: try files.removeItem(atPath: path)
      case .databaseReplaced: try Self.replace(path)
      case .databaseOverwritten:
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        // Another id, as a copy has.
        try file.seek(toOffset: 60)
        try file.write(contentsOf: [0, 0, 0, 0])
        try file.close()
      case .databaseEmptied: try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 0)
      case .logRemoved: try files.removeItem(atPath: path + "-wal")
      case .logReplaced: try Self.replace(path + "-wal")
      case .indexRemoved: try files.removeItem(atPath: path + "-shm")
      case .lockRemoved: try files.removeItem(atPath: path + ".lock")
      case .lockReplaced: try Self.replace(path + ".lock")
      }
    }

    private static func replace(_ path: String) throws {
      let files = FileManager.default
      try files.copyItem(atPath: path, toPath: path + "-copy")
      try files.removeItem(atPath: path)
      try files.moveItem(atPath: path + "-copy", toPath: path)
    }
  }

  @Test("are looked at before a write is acknowledged", arguments: Mishap.allCases)
  func write(_ mishap: Mishap) async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    try await office.keep(0)
    try mishap.happen(to: database)
    await #expect(throws: Self.unavailable) { try await office.keep(1) }
    #expect(database.failures.withLock { $0 } == 1)
    let alarms = database.alarms.withLock { $0 }
    #expect(alarms.count == 1)
    #expect(alarms.first?.hasPrefix("The file \(database.path)") == true)
    await #expect(throws: Self.unavailable) { try await storage.checkReadiness() }
    await storage.close()
  }

  @Test("are looked at by the readiness of a server that nobody writes to", arguments: Mishap.allCases)
  func readiness(_ mishap: Mishap) async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    _ = try await TestOffice(in: storage)
    try await storage.checkReadiness()
    try mishap.happen(to: database)
    await #expect(throws: Self.unavailable) { try await storage.checkReadiness() }
    #expect(database.failures.withLock { $0 } == 1)
    await storage.close()
  }

  @Test("are looked at by a server that ends, which leaves other ones alone", arguments: Mishap.allCases)
  func close(_ mishap: Mishap) async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    _ = try await TestOffice(in: storage)
    try mishap.happen(to: database)
    let log = database.size("-wal")
    await storage.close()
    #expect(database.failures.withLock { $0 } == 1)
    #expect(database.size("-wal") == log)
  }

  @Test("are saved if only the log lost its name")
  func savedLog() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    for minute in 0..<10 { try await office.keep(minute) }
    try Mishap.logRemoved.happen(to: database)
    await #expect(throws: Self.unavailable) { try await office.keep(10) }
    await storage.close()
    let again = try database.open()
    let kept = try again.read {
      try $0.statement("SELECT count(*) FROM time_entries").first([]) { $0.integer(0) }
    }
    // The eleventh was refused, and nobody knows: it may be there.
    #expect(kept == 11)
    await again.close()
  }

  @Test("are saved if the log was replaced, and the other log is refused")
  func replacedLog() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    try await office.keep(0)
    try Mishap.logReplaced.happen(to: database)
    await #expect(throws: Self.unavailable) { try await office.keep(1) }
    await storage.close()
    #expect(throws: SQLiteStorageError.logOfOtherDatabase(path: database.path)) { try database.open() }
    try FileManager.default.removeItem(atPath: database.path + "-wal")
    let again = try database.open()
    let kept = try again.read {
      try $0.statement("SELECT count(*) FROM time_entries").first([]) { $0.integer(0) }
    }
    #expect(kept == 2)
    await again.close()
  }
}
