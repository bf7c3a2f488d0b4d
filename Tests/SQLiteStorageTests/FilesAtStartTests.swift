import Foundation
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("The files that a start finds")
struct FilesAtStartTests {
  private let files = FileManager.default

  /// The files of a storage that writes, as a crash would leave them, in a database of their own.
  private func crashed(
    after storage: SQLiteStorage, in database: TestDatabase, lock: Bool = true
  ) throws -> TestDatabase {
    let copy = try TestDatabase()
    for suffix in ["", "-wal"] + (lock ? [".lock"] : []) {
      try files.copyItem(atPath: database.path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }

  private func entryCount(_ database: TestDatabase) async throws -> Int64? {
    let storage = try database.open()
    let count = try storage.read {
      try $0.statement("SELECT count(*) FROM time_entries").first([]) { $0.integer(0) }
    }
    await storage.close()
    return count
  }

  @Test("are taken up after a crash, with a lock and without")
  func crash() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    for minute in 0..<5 { try await office.keep(minute) }
    for hasLock in [true, false] {
      let copy = try crashed(after: storage, in: database, lock: hasLock)
      #expect(copy.size("-wal") > 0)
      #expect(try await entryCount(copy) == 5)
    }
    // A lock of which nothing can be read, as an earlier version leaves it or a power cut tears it.
    for note in ["", "timeclock1 1 2 sound 0", "timeclock1 zz - sound 12345678", "\u{0}\u{0}"] {
      let copy = try crashed(after: storage, in: database)
      try Data(note.utf8).write(to: URL(filePath: copy.path + ".lock"))
      #expect(try await entryCount(copy) == 5, "\(note)")
    }
    await storage.close()
  }

  @Test("are refused and left alone if the log has no database")
  func lostDatabase() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    try await office.keep(0)
    for isEmpty in [false, true] {
      let copy = try crashed(after: storage, in: database)
      let kept = try Data(contentsOf: URL(filePath: copy.path))
      try files.removeItem(atPath: copy.path)
      if isEmpty { try Data().write(to: URL(filePath: copy.path)) }
      let log = try Data(contentsOf: URL(filePath: copy.path + "-wal"))
      for mayCreate in [true, false] {
        #expect(throws: SQLiteStorageError.logWithoutDatabase(path: copy.path)) {
          try copy.open(mayCreate: mayCreate)
        }
      }
      #expect(try Data(contentsOf: URL(filePath: copy.path + "-wal")) == log)
      #expect(copy.size() == 0)
      // Put back, it is as it was.
      try kept.write(to: URL(filePath: copy.path))
      #expect(try await entryCount(copy) == 1)
    }
    await storage.close()
  }

  @Test("are refused and left alone if the log is another database's")
  func foreignLog() async throws {
    let database = try TestDatabase()
    var storage = try database.open()
    let office = try await TestOffice(in: storage)
    try await office.keep(0)
    await storage.close()
    let backup = try Data(contentsOf: URL(filePath: database.path))
    storage = try database.open()
    try await TestOffice(in: storage, number: 2).keep(0)
    let copy = try crashed(after: storage, in: database)
    await storage.close()
    let log = try Data(contentsOf: URL(filePath: copy.path + "-wal"))
    try backup.write(to: URL(filePath: copy.path))
    for _ in 0..<2 {
      #expect(throws: SQLiteStorageError.logOfOtherDatabase(path: copy.path)) { try copy.open() }
    }
    #expect(try Data(contentsOf: URL(filePath: copy.path)) == backup)
    #expect(try Data(contentsOf: URL(filePath: copy.path + "-wal")) == log)
    try files.removeItem(atPath: copy.path + "-wal")
    #expect(try await entryCount(copy) == 1)
  }

  @Test("have an id that is new at every start, in the file itself and in the lock")
  func ids() async throws {
    let database = try TestDatabase()
    var seen: Set<UInt32> = []
    for round in 1...3 {
      let storage = try database.open()
      let header = try Data(contentsOf: URL(filePath: database.path)).subdata(in: 60..<64)
      let id = header.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      let note = LockNote(bytes: Array(try Data(contentsOf: URL(filePath: database.path + ".lock"))))
      #expect(note == LockNote(id: id))
      seen.insert(id)
      #expect(seen.count == round)
      #expect(!seen.contains(DatabaseID.none))
      await storage.close()
    }
  }

  @Test("of a start that was cut short are taken up, whatever step it had reached")
  func cutShort() throws {
    // The note that was on disk, the id of the file: (former, new) in the order in which a start writes them.
    var note = LockNote()
    note.renew(from: 7)
    #expect(note.allowsLog(of: 7))
    let new = try #require(note.id)
    #expect(note.allowsLog(of: new))
    // Not yet in the file: a later start must not give out a third one, since the second may lie in the log.
    var again = note
    again.renew(from: 7)
    #expect(again == note)
    // In the file, though the note was not settled.
    again.renew(from: new)
    #expect(again.formerID == new && again.id != new)
    #expect(!again.allowsLog(of: 7))
    // Another file, without a log.
    again.renew(from: 9)
    #expect(again.formerID == 9 && again.id != new)
  }

  @Test("have a lock whose note is read as it was written, or not at all")
  func notes() {
    let notes = [
      LockNote(), LockNote(id: 1), LockNote(id: .max, formerID: 0),
      LockNote(id: .max, formerID: .max, isDamaged: true),
    ]
    for note in notes {
      #expect(note.bytes.count == LockNote.byteCount)
      #expect(LockNote(bytes: note.bytes) == note)
      for index in 0..<30 {
        var torn = note.bytes
        torn[index] ^= 1
        #expect(LockNote(bytes: torn) == LockNote() || note == LockNote())
      }
    }
  }

  @Test("are not made if they are to be there")
  func noFile() async throws {
    let database = try TestDatabase()
    #expect(throws: SQLiteStorageError.noDatabase(path: database.path)) {
      try database.open(mayCreate: false)
    }
    #expect(try files.contentsOfDirectory(atPath: database.folder).isEmpty)
    let made = try database.open()
    #expect(made.isNew)
    await made.close()
    let opened = try database.open(mayCreate: false)
    #expect(!opened.isNew)
    await opened.close()
  }

  @Test("are refused to a second opening though the lock beside was deleted")
  func deletedLock() async throws {
    let database = try TestDatabase()
    let holder = try HeldDatabase(database.path, access: .writing(mayCreate: true))
    try files.removeItem(atPath: database.path + ".lock")
    #expect(throws: SQLiteStorageError.databaseInUse) { try database.open() }
    holder.release()
    await (try database.open()).close()
  }

  @Test("have their log written over itself before SQLite reads it")
  func rewrittenLog() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    // More than is written at once.
    for minute in 0..<120 { try await office.keep(minute) }
    let copy = try crashed(after: storage, in: database)
    await storage.close()
    let log = try Data(contentsOf: URL(filePath: copy.path + "-wal"))
    #expect(log.count > 1 << 20)
    try files.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: copy.path + "-wal")
    // The copy source reads only, and has no reason to write.
    let reader = try HeldDatabase(copy.path, access: .reading)
    reader.release()
    #expect(try modified(copy) == Date(timeIntervalSince1970: 1_000_000))
    let held = try HeldDatabase(copy.path, access: .writing(mayCreate: false))
    #expect(try modified(copy) > Date(timeIntervalSince1970: 1_000_000))
    held.release()
    #expect(try Data(contentsOf: URL(filePath: copy.path + "-wal")) == log)
    #expect(try await entryCount(copy) == 120)
  }

  private func modified(_ database: TestDatabase) throws -> Date {
    let attributes = try files.attributesOfItem(atPath: database.path + "-wal")
    return try #require(attributes[.modificationDate] as? Date)
  }
}
