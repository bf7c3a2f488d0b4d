import CSQLite
import Foundation
import Synchronization
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("The write-ahead log")
struct WriteAheadLogTests {
  @Test("stays short under a load without a quiet moment, while readers read")
  func underLoad() async throws {
    let database = try TestDatabase()
    let limits = WriteAheadLog.Limits(quiet: 1_000_000, urgent: 100, retry: 20)
    let storage = try database.open(logLimits: limits)
    let office = try await TestOffice(in: storage)
    var largest = 0
    try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var largest = 0
          for number in 0..<250 {
            try await office.keep(task * 1_000 + number)
            if number % 10 == 0 { _ = try await office.list() }
            largest = max(largest, database.size("-wal"))
          }
          return largest
        }
      }
      for try await size in group { largest = max(largest, size) }
    }
    // A page with its head has 4,120 bytes. All the commits have some 7,000 pages; how many come beyond the limit until
    // readers let the log go is the machine's affair.
    #expect(largest > 100 * 4_120)
    #expect(largest < 700 * 4_120)
    #expect(try await office.list().count == 1_000)
    await storage.close()
  }

  @Test("stays short while threads read without a pause between their reads")
  func readersWithoutPause() async throws {
    let database = try TestDatabase()
    let limits = WriteAheadLog.Limits(quiet: 1_000_000, urgent: 100, retry: 20)
    let storage = try database.open(logLimits: limits)
    let office = try await TestOffice(in: storage)
    let readers = UnceasingReaders(of: storage, count: 2)
    let largest = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var largest = 0
          for number in 0..<500 {
            try await office.keep(task * 1_000 + number)
            largest = max(largest, database.size("-wal"))
          }
          return largest
        }
      }
      return try await group.reduce(into: 0) { $0 = max($0, $1) }
    }
    await readers.stop()
    // All the commits have some 12,000 pages.
    #expect(largest > 100 * 4_120)
    #expect(largest < 1_200 * 4_120)
    await storage.close()
  }

  @Test("has room on disk for its index, so that no commit fails for want of it")
  func indexRoom() async throws {
    let database = try TestDatabase()
    let storage = try database.open(logLimits: WriteAheadLog.Limits())
    // 24,000 pages and a head, in parts of 4,096.
    #expect(database.size("-shm") == 6 * 32_768)
    var status = stat()
    #expect(stat(database.path + "-shm", &status) == 0)
    #expect(Int(status.st_blocks) * 512 >= 6 * 32_768)
    let office = try await TestOffice(in: storage)
    try await office.keep(1)
    #expect(try await office.list().count == 1)
    await storage.close()
  }

  @Test("restarts after a quiet moment, though somebody read while it was moved")
  func readDuringCheckpoint() throws {
    let database = try TestDatabase()
    let connection = try database.connection()
    try connection.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    let log = WriteAheadLog(of: connection, path: database.path, limits: WriteAheadLog.Limits())
    let readers = SQLiteReaderPool(path: database.path)
    func append() throws { try readers.duringCommit { try connection.execute("INSERT INTO t VALUES (1)") } }
    try append()
    let size = database.size("-wal")
    var turn = 0
    let outcome = log.checkpoint(isUrgent: false) {
      readers.renewSnapshots()
      turn += 1
      guard turn == 1 else { return }
      let count = try? readers.read {
        try $0.statement("SELECT count(*) FROM t").first([]) { $0.integer(0) }
      }
      #expect(count == 1)
    }
    #expect(outcome.isComplete)
    try connection.execute("INSERT INTO t VALUES (2)")
    #expect(database.size("-wal") == size)
    readers.close()
    connection.close()
  }

  @Test("is moved in parts up to a mark of the writer's own, and restarts only when all of it is moved")
  func parts() throws {
    let database = try TestDatabase()
    let connection = try database.connection()
    try connection.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    let log = WriteAheadLog(
      of: connection, path: database.path, limits: WriteAheadLog.Limits(urgent: 100, part: 20))
    func append(_ count: Int) throws {
      for _ in 0..<count { try connection.execute("INSERT INTO t VALUES (randomblob(4000))") }
    }
    while !log.hasPart { try append(1) }
    #expect(log.movePart {} == nil)
    let pages = try Self.pages(database)
    #expect(pages.moved == 0 && pages.all >= 20)
    try append(10)
    let outcome = try #require(log.movePart {})
    #expect(outcome.fault.code == SQLITE_OK && !outcome.isComplete)
    #expect(try Self.pages(database).moved == pages.all)
    // The log does not restart: it grows.
    let size = database.size("-wal")
    try append(1)
    #expect(database.size("-wal") > size)
    while !log.isTooLong(whileSyncing: false) { try append(1) }
    #expect(log.checkpoint(isUrgent: true) {}.isComplete)
    try append(1)
    #expect(try Self.pages(database).all < 10)
    log.close()
    connection.close()
  }

  @Test("is bounded and keeps everything while parts of it are moved under load")
  func partsUnderLoad() async throws {
    let database = try TestDatabase()
    let limits = WriteAheadLog.Limits(quiet: 1_000_000, urgent: 200, part: 30, retry: 20)
    let storage = try database.open(logLimits: limits)
    let office = try await TestOffice(in: storage)
    var largest = 0
    var partCount = 0
    try await withThrowingTaskGroup(of: (largest: Int, parts: Int).self) { group in
      for task in 0..<4 {
        group.addTask {
          var seen = (largest: 0, parts: 0)
          for number in 0..<250 {
            try await office.keep(task * 1_000 + number)
            if number % 10 == 0 { _ = try await office.list() }
            let pages = try Self.pages(database)
            seen.largest = max(seen.largest, database.size("-wal"))
            if pages.moved > 0, pages.moved < pages.all { seen.parts += 1 }
          }
          return seen
        }
      }
      for try await seen in group {
        largest = max(largest, seen.largest)
        partCount += seen.parts
      }
    }
    #expect(partCount > 0)
    // All the commits have some 8,000 pages.
    #expect(largest < 800 * 4_120)
    await storage.close()
    let again = try database.open()
    let rest = try await again.timeEntries(
      TimeEntryQuery(
        organization: office.member.key.organization, user: nil, range: .dates(from: nil, through: nil),
        status: nil, session: nil, cursor: nil, limit: 10_000))
    #expect(rest.elements.count == 1_000)
    await again.close()
  }

  @Test("that cannot be written to disk beside the writer is reported once")
  func failingSync() throws {
    for (code, expected) in [(EIO, EIO), (0, nil)] as [(Int32, Int32?)] {
      let sync = try BackgroundSync { code }
      sync.start()
      while sync.isRunning { usleep(1_000) }
      #expect(sync.takeFailure() == expected)
      #expect(sync.takeFailure() == nil)
      sync.close()
    }
  }

  @Test("is moved in the pauses between long writes, so that never much of it is")
  func betweenLongWrites() async throws {
    let database = try TestDatabase()
    let limits = WriteAheadLog.Limits(quiet: 50, urgent: 1_000_000, retry: 20)
    let storage = try database.open(logLimits: limits)
    let office = try await TestOffice(in: storage)
    let (length, parts) = (100, 40)
    // Somebody clocks in now and then, in the pauses meant for that.
    let others = Task {
      var minute = 1_000_000
      while !Task.isCancelled {
        minute += 1
        try await office.keep(minute)
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    // All of them wait from the start: there is no quiet moment.
    let largest = try await withThrowingTaskGroup(of: Int.self) { group in
      for part in 0..<parts {
        group.addTask {
          _ = try await storage.createTimeEntries(
            (0..<length).map { office.entry(part * length + $0) }, keeping: .accepted, recording: nil)
          return database.size("-wal")
        }
      }
      return try await group.reduce(into: 0) { $0 = max($0, $1) }
    }
    others.cancel()
    try await others.value
    let total = parts * length
    #expect(try await office.list().count > total)
    // A write of this many entries takes 60 pages and more.
    #expect(largest < parts * 60 * 4_120 / 2)
    await storage.close()
  }

  @Test("is moved into the database at a quiet moment, though connections keep snapshots")
  func quietMoment() async throws {
    let database = try TestDatabase()
    // Any commit is worth it: on a busy machine the moments between two entries may be quiet too.
    let limits = WriteAheadLog.Limits(quiet: 1, urgent: 1_000_000, retry: 20)
    let storage = try database.open(logLimits: limits)
    let office = try await TestOffice(in: storage)
    // A connection keeps the snapshot of this read, and nobody reads on it again.
    #expect(try await office.list().isEmpty)
    for minute in 0..<30 { try await office.keep(minute) }
    var unmoved = UInt32.max
    for _ in 0..<2_000 where unmoved > 0 {
      try await Task.sleep(for: .milliseconds(10))
      unmoved = try Self.unmovedPages(database)
    }
    #expect(unmoved == 0)
    await storage.close()
    #expect(database.size("-wal") == 0)
  }

  /// How many of the log's frames are not in the database yet, by the log's index: mxFrame at byte 16 of the
  /// header, nBackfill at byte 96 (sqlite.org/walformat.html, section 2).
  private static func unmovedPages(_ database: TestDatabase) throws -> UInt32 {
    let pages = try pages(database)
    return pages.all &- pages.moved
  }

  private static func pages(_ database: TestDatabase) throws -> (all: UInt32, moved: UInt32) {
    let index = try Data(contentsOf: URL(filePath: database.path + "-shm"))
    func number(at offset: Int) -> UInt32 {
      index.subdata(in: offset..<offset + 4).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }
    return (number(at: 16), number(at: 96))
  }
}

/// Threads that read as fast as they can, until they are stopped.
private final class UnceasingReaders: Sendable {
  private let isOver = Atomic(false)
  private let group = DispatchGroup()

  init(of storage: SQLiteStorage, count: Int) {
    for number in 0..<count {
      DispatchQueue(label: "reader \(number)").async(group: group) { [self] in
        while !isOver.load(ordering: .relaxed) {
          _ = try? storage.read { connection in
            try connection.statement("SELECT last_number FROM row_numbers").first([]) { $0.integer(0) }
          }
        }
      }
    }
  }

  func stop() async {
    isOver.store(true, ordering: .relaxed)
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
  }
}
