import Foundation
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("Opening an SQLite storage")
struct OpeningTests {
  @Test("makes files that only their owner reads")
  func fileModes() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    _ = try await TestOffice(in: storage)
    for suffix in ["", "-wal", "-shm", ".lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: database.path + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
    await storage.close()
  }

  @Test("takes settings that SQLite confirms")
  func settings() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let writer = try await storage.writer.write { transaction in
      try [
        "journal_mode", "synchronous", "foreign_keys", "trusted_schema", "wal_autocheckpoint", "mmap_size",
        "query_only", "cache_size", "journal_size_limit",
      ].map { try transaction.connection.text("PRAGMA \($0)") }
    }
    #expect(writer == ["wal", "2", "1", "0", "0", "0", "0", "-8192", "67108864"])
    let reader = try storage.read { connection in
      try ["trusted_schema", "wal_autocheckpoint", "mmap_size", "query_only", "cache_size"]
        .map { try connection.text("PRAGMA \($0)") }
    }
    #expect(reader == ["0", "0", "0", "1", "-\(PageCache.ofShortReads)"])
    #expect(try storage.read(length: .long) { try $0.text("PRAGMA cache_size") } == "-2048")
    #expect(throws: (any Error).self) {
      try storage.read { try $0.execute("INSERT INTO row_numbers VALUES (2, 2)") }
    }
    await storage.close()
    #expect(SQLiteStorage.libraryVersion.hasPrefix("3."))
  }

  @Test("keeps the epoch of its log, which a back-up of it and a restored database have another of")
  func epoch() async throws {
    let database = try TestDatabase()
    func epoch(of path: String) async throws -> LogEpoch {
      let storage = try database.open(path)
      let epoch = try await storage.logEnd(of: OrganizationKey(1)).epoch
      await storage.close()
      return epoch
    }
    let first = try await epoch(of: database.path)
    #expect(try await epoch(of: database.path) == first && first != .none)
    let backUp = database.folder + "/back-up.db"
    _ = try SQLiteBackup(of: database.path, to: backUp, replacing: false).run { _ in }
    var epochs: Set<LogEpoch> = [first]
    for name in ["one.db", "other.db"] {
      let place = database.folder + "/" + name
      _ = try SQLiteRestore(from: backUp, to: place, replacing: false).run { _ in }
      epochs.insert(try await epoch(of: place))
    }
    // Served where it lies.
    epochs.insert(try await epoch(of: backUp))
    let storage = try database.open()
    try await storage.renewLogEpoch()
    epochs.insert(try await storage.logEnd(of: OrganizationKey(1)).epoch)
    await storage.close()
    #expect(epochs.count == 5)
  }

  @Test("is refused while the storage is open, by any path")
  func secondOpening() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let link = database.folder + "/link.db"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database.path)
    for path in [database.path, database.folder + "/./timeclock.db", link] {
      #expect(throws: SQLiteStorageError.databaseInUse) { try database.open(path) }
    }
    // The refused ones have not taken the open one's locks away: it still writes.
    let office = try await TestOffice(in: storage)
    try await office.keep(0)
    await storage.close()
    let again = try database.open(link)
    await again.close()
  }

  @Test("is refused while another process holds the database, until it ends")
  func secondProcess() async throws {
    let database = try TestDatabase()
    await (try database.open()).close()
    let holder = try LockHolder(path: database.path + ".lock")
    #expect(throws: SQLiteStorageError.databaseInUse) { try database.open() }
    holder.kill()
    let storage = try database.open()
    // And the other way round.
    #expect(throws: LockHolder.Refused.self) { try LockHolder(path: database.path + ".lock") }
    await storage.close()
  }

  @Test("needs a file that lasts, in a folder that is there")
  func paths() throws {
    let database = try TestDatabase()
    for path in ["", ":memory:", "file:x?mode=memory", database.folder + "/"] {
      #expect(throws: SQLiteStorageError.unsupportedPath) { try database.open(path) }
    }
    let missing = database.folder + "/no/timeclock.db"
    #expect(throws: SQLiteStorageError.cannotOpen(path: missing, reason: "No such file or directory")) {
      try database.open(missing)
    }
    let folder = database.folder + "/folder.db"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(throws: SQLiteStorageError.cannotOpen(path: folder, reason: "Is a directory")) {
      try database.open(folder)
    }
  }

  /// The files beside the database's place, by name.
  private static func names(_ database: TestDatabase) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: database.folder).sorted()
  }

  @Test(
    "refuses a file that is no database, and leaves it alone with nothing beside it",
    arguments: [
      (Array("root:x:0:0:root:/root:/bin/bash\n".utf8), SQLiteStorageError.OtherFile.unknown),
      (Array("This is a diary, and a long one. ".utf8) + Array(repeating: 65, count: 5_000), .unknown),
      (Array("PGDMP".utf8) + Array(repeating: 0, count: 500), .postgreSQLDump),
      (Array("--\n-- PostgreSQL database dump\n--\n".utf8), .postgreSQLDump),
      ([], .empty),
    ])
  func otherFile(content: [UInt8], kind: SQLiteStorageError.OtherFile) throws {
    let database = try TestDatabase()
    try Data(content).write(to: URL(filePath: database.path))
    let refusal = SQLiteStorageError.notDatabase(path: database.path, kind)
    #expect(refusal.needsPerson && !refusal.description.contains("back-up"))
    #expect(throws: refusal) { try database.open(mayCreate: false) }
    #expect(try Data(contentsOf: URL(filePath: database.path)) == Data(content))
    #expect(try Self.names(database) == ["timeclock.db"])
  }

  @Test("makes a database of an empty file")
  func emptyFile() async throws {
    let database = try TestDatabase()
    try Data().write(to: URL(filePath: database.path))
    let storage = try database.open()
    #expect(storage.isNew)
    await storage.close()
  }

  @Test("takes what was a database, and begins as none, for a damaged one")
  func overwrittenHeader() async throws {
    let database = try TestDatabase()
    await (try database.open()).close()
    var content = try Data(contentsOf: URL(filePath: database.path))
    content.replaceSubrange(0..<16, with: Data(repeating: 0, count: 16))
    try content.write(to: URL(filePath: database.path))
    let reason = "it does not begin as a database does"
    #expect(throws: SQLiteStorageError.damaged(path: database.path, reason: reason)) { try database.open() }
    #expect(try Self.names(database).contains("timeclock.db.lock"))
  }

  @Test("makes no file if a connection finds none", arguments: [false, true])
  func noFile(isReadOnly: Bool) throws {
    let database = try TestDatabase()
    #expect(throws: SQLiteError.self) { try SQLiteConnection(path: database.path, isReadOnly: isReadOnly) }
    #expect(!FileManager.default.fileExists(atPath: database.path))
  }

  @Test(
    "refuses another program's database, and leaves it as it is",
    arguments: ["CREATE TABLE diary (entry TEXT)", "PRAGMA application_id = 252006674"])
  func foreignDatabase(statement: String) throws {
    let database = try TestDatabase()
    let connection = try database.connection()
    try connection.execute(statement)
    connection.close()
    let content = try Data(contentsOf: URL(filePath: database.path))
    #expect(throws: SQLiteStorageError.foreignDatabase) { try database.open() }
    #expect(try Data(contentsOf: URL(filePath: database.path)) == content)
    #expect(try Self.names(database) == ["timeclock.db"])
  }

  @Test("refuses a file that has a second name, which would have a second lock")
  func hardLink() async throws {
    let database = try TestDatabase()
    await (try database.open()).close()
    try FileManager.default.linkItem(atPath: database.path, toPath: database.folder + "/other.db")
    #expect(throws: SQLiteStorageError.self) { try database.open(database.folder + "/other.db") }
    #expect(throws: SQLiteStorageError.self) { try database.open() }
    try FileManager.default.removeItem(atPath: database.folder + "/other.db")
    await (try database.open()).close()
  }

  @Test("finds everything that was kept, and goes on numbering after it")
  func reopening() async throws {
    let database = try TestDatabase()
    var storage = try database.open()
    let office = try await TestOffice(in: storage)
    var kept: [TimeEntry] = []
    for minute in 0..<3 { kept.append(try await office.keep(minute)) }
    kept.append(try await office.keep(3, isActive: true))
    await storage.close()
    #expect(database.size("-wal") == 0)
    storage = try database.open()
    let page = try await storage.timeEntries(
      TimeEntryQuery(
        organization: office.member.key.organization, user: nil, range: .dates(from: nil, through: nil),
        status: nil, session: nil, cursor: nil, limit: 10))
    #expect(page.elements == kept.reversed())
    let found = try await storage.authenticate(
      office.token, organizationID: office.organization.id, at: TestDatabase.now)
    #expect(found?.membership == office.member)
    let highest = try storage.read {
      try $0.statement("SELECT max(entry_number) FROM time_entries").first([]) { $0.integer(0) }
    }
    let next = try await storage.writer.write { $0.numbers.next() }
    #expect(next > highest ?? .max)
    await storage.close()
  }
}

/// Another process that holds a lock.
private final class LockHolder {
  struct Refused: Error {}

  private let process = Process()

  init(path: String) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import fcntl, sys, time
      file = open(sys.argv[1], "r+")
      try:
          fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
      except OSError:
          print("refused", flush=True)
          sys.exit(1)
      print("held", flush=True)
      time.sleep(60)
      """, path,
    ]
    process.standardOutput = output
    try process.run()
    var answer = Data()
    while answer.last != UInt8(ascii: "\n") {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      answer += more
    }
    guard answer == Data("held\n".utf8) else {
      process.waitUntilExit()
      throw Refused()
    }
  }

  /// Ends the process without a chance to clean up.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit {
    if process.isRunning { kill() }
  }
}
