import CSQLite
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("Reading connections")
struct SQLiteReaderPoolTests {
  /// A pool on a database with one number in it, and a connection that changes the number.
  private static func withPool(_ test: (SQLiteReaderPool, SQLiteConnection) throws -> Void) throws {
    let database = try TestDatabase()
    let writer = try database.connection()
    try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (0)")
    let pool = SQLiteReaderPool(path: database.path)
    try test(pool, writer)
    pool.close()
    writer.close()
  }

  private static func number(_ connection: SQLiteConnection) throws -> Int64? {
    try connection.statement("SELECT x FROM t").first([]) { $0.integer(0) }
  }

  @Test("keep their snapshot until a commit is noted")
  func snapshots() throws {
    try Self.withPool { pool, writer in
      #expect(try pool.read(Self.number) == 0)
      try writer.execute("UPDATE t SET x = 1")
      #expect(try pool.read(Self.number) == 0)
      pool.duringCommit {}
      #expect(try pool.read(Self.number) == 1)
    }
  }

  @Test("see the outcome of a commit under way for good, once one of them has")
  func commitUnderWay() throws {
    try Self.withPool { pool, writer in
      #expect(try pool.read(Self.number) == 0)
      try pool.duringCommit {
        let before = try pool.read(Self.number)
        try writer.execute("UPDATE t SET x = 1")
        let after = try pool.read(Self.number)
        #expect(before == 0)
        #expect(after == 1)
        // Two at once: the second one is a connection that has never read.
        let both = try pool.read { first in [try Self.number(first), try pool.read(Self.number)] }
        #expect(both == [1, 1])
      }
      let last = try pool.read(Self.number)
      #expect(last == 1)
    }
  }

  @Test("see one state of the database in one read")
  func oneState() throws {
    try Self.withPool { pool, writer in
      try pool.duringCommit {
        try pool.read { connection in
          let before = try Self.number(connection)
          try writer.execute("UPDATE t SET x = 1")
          let after = try Self.number(connection)
          #expect(before == 0)
          #expect(after == 0)
        }
      }
    }
  }

  @Test("let go of what failed, and of snapshots on request")
  func endOfSnapshots() throws {
    try Self.withPool { pool, writer in
      #expect(throws: TimeclockError.invalidName) {
        try pool.read { connection in
          _ = try Self.number(connection)
          throw TimeclockError.invalidName
        }
      }
      try writer.execute("UPDATE t SET x = 1")
      #expect(try pool.read(Self.number) == 1)
      try writer.execute("UPDATE t SET x = 2")
      pool.renewSnapshots()
      #expect(try pool.read(Self.number) == 2)
    }
  }

  @Test("keep no snapshot that has to be renewed, though it was in use at that moment")
  func renewalInUse() throws {
    try Self.withPool { pool, writer in
      try pool.read { connection in
        _ = try Self.number(connection)
        pool.renewSnapshots()
      }
      // A snapshot that looks into the log keeps it from restarting.
      sqlite3_busy_timeout(writer.handle, 0)
      let code = sqlite3_wal_checkpoint_v2(writer.handle, nil, SQLITE_CHECKPOINT_RESTART, nil, nil)
      #expect(code == SQLITE_OK)
    }
  }

  @Test("are at most 64, and none once the pool is closed")
  func limit() throws {
    try Self.withPool { pool, _ in
      func nest(_ depth: Int) throws -> Int {
        try pool.read { _ in depth == 1 ? 1 : try nest(depth - 1) + 1 }
      }
      let before = try nest(64)
      #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) { try nest(65) }
      let after = try nest(64)
      #expect([before, after] == [64, 64])
      pool.close()
      #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) { try nest(1) }
    }
  }
}
