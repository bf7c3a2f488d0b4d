import Foundation
import Testing

@testable import SQLiteStorage

@Suite("Writing the log in one piece")
struct LogWritingTests {
  /// A database with a table of 200 rows, of which each fills a page, and a connection as the writer's.
  private static func withTable(_ test: (TestDatabase, SQLiteConnection) throws -> Void) throws {
    let database = try TestDatabase()
    try Data().write(to: URL(filePath: database.path))
    let connection = try SQLiteConnection(path: database.path, isReadOnly: false, gathersLog: true)
    try connection.configureForWriting()
    try connection.execute(
      """
      CREATE TABLE t (x INTEGER PRIMARY KEY, y); \
      WITH RECURSIVE n (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 200) \
      INSERT INTO t SELECT x, printf('%03000d', 0) FROM n
      """)
    try test(database, connection)
    connection.close()
  }

  /// How often the calling thread writes to a file meanwhile (proc(5), `/proc/pid/io`).
  private static func countingWrites(_ body: () throws -> Void) throws -> Int {
    func count() throws -> Int {
      let lines = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8).split(separator: "\n")
      return try #require(lines.first { $0.hasPrefix("syscw: ") }.flatMap { Int($0.dropFirst(7)) })
    }
    let before = try count()
    try body()
    return try count() - before
  }

  /// A statement for each of the first rows: a statement may have to undo its changes as a savepoint does.
  private static func updates(of count: Int) -> String {
    (1...count).map { "UPDATE t SET y = printf('%03000d', 1) WHERE x = \($0);" }.joined()
  }

  /// The sum of the numbers at the ends of the texts, as a connection of its own sees it.
  private static func sum(_ path: String) throws -> Int64? {
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    defer { connection.close() }
    return try connection.statement("SELECT sum(CAST(y AS INTEGER)) FROM t").first([]) { $0.integer(0) }
  }

  @Test("takes a few calls for a commit of a hundred pages, and is done when the commit is")
  func commit() throws {
    try Self.withTable { database, connection in
      let writes = try Self.countingWrites {
        try connection.execute("BEGIN; \(Self.updates(of: 100))")
        try connection.commit()
      }
      // By itself, SQLite takes two for each page; 29 pages are a piece.
      #expect(writes <= 8)
      #expect(try Self.sum(database.path) == 100)
      // A copy of both files stands for a crash.
      let copy = try TestDatabase()
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: database.path + suffix, toPath: copy.path + suffix)
      }
      #expect(try Self.sum(copy.path) == 100)
    }
  }

  @Test("begins before the commit if memory is short, and a rollback leaves nothing of it")
  func spill() throws {
    try Self.withTable { database, connection in
      try connection.execute("PRAGMA cache_size = 10; BEGIN; UPDATE t SET y = printf('%03000d', 1)")
      // The connection reads its spilled pages.
      let inside = try connection.statement("SELECT sum(CAST(y AS INTEGER)) FROM t").first([]) {
        $0.integer(0)
      }
      #expect(inside == 200)
      #expect(try Self.sum(database.path) == 0)
      // A page that was spilled is written once more, in the middle of the log.
      try connection.execute("UPDATE t SET y = printf('%03000d', 2) WHERE x < 50; ROLLBACK")
      #expect(try Self.sum(database.path) == 0)
      try connection.execute(
        "BEGIN; UPDATE t SET y = printf('%03000d', 3); UPDATE t SET y = printf('%03000d', 4)")
      try connection.commit()
      #expect(try Self.sum(database.path) == 800)
      #expect(try connection.text("PRAGMA integrity_check") == "ok")
    }
  }

  @Test("leaves nothing of a rolled back transaction that would be written over what another program commits")
  func otherProgram() throws {
    try Self.withTable { database, connection in
      try connection.execute("PRAGMA cache_size = 10; BEGIN; UPDATE t SET y = printf('%03000d', 1); ROLLBACK")
      let other = try SQLiteConnection(path: database.path, isReadOnly: false)
      defer { other.close() }
      try other.execute("UPDATE t SET y = printf('%03000d', 2)")
      try connection.execute("BEGIN; UPDATE t SET y = printf('%03000d', 3) WHERE x = 1")
      try connection.commit()
      #expect(try Self.sum(database.path) == 199 * 2 + 3)
      #expect(try connection.text("PRAGMA integrity_check") == "ok")
    }
  }

  @Test("goes on from the beginning once all of the log is in the database")
  func restart() throws {
    try Self.withTable { database, connection in
      for round in 1...5 {
        try connection.execute("UPDATE t SET y = printf('%03000d', \(round)); PRAGMA wal_checkpoint(RESTART)")
      }
      let size = database.size("-wal")
      try connection.execute("UPDATE t SET y = printf('%03000d', 9) WHERE x = 1")
      #expect(database.size("-wal") == size)
      #expect(try Self.sum(database.path) == 199 * 5 + 9)
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      #expect(database.size("-wal") == 0)
      #expect(try Self.sum(database.path) == 199 * 5 + 9)
    }
  }

  @Test("a savepoint of twenty pages is kept in memory, and one of hundreds is restored as well")
  func savepoints() throws {
    try Self.withTable { database, connection in
      let writes = try Self.countingWrites {
        try connection.execute("BEGIN; SAVEPOINT s; \(Self.updates(of: 20)) ROLLBACK TO s; RELEASE s")
      }
      #expect(writes == 0)
      try connection.execute(
        "\(Self.updates(of: 1)) SAVEPOINT s; UPDATE t SET y = printf('%03000d', 3); ROLLBACK TO s; RELEASE s"
      )
      try connection.commit()
      #expect(try Self.sum(database.path) == 1)
    }
  }

  @Test(
    "caches are a part of what memory there is",
    arguments: [
      (512, nil, 8_192), (24_576, nil, 65_536), (64, nil, 2_048), (24_576, "max\n", 65_536),
      (24_576, "268435456\n", 4_096),
      (512, "68719476736\n", 8_192),
    ] as [(Int, String?, Int)])
  func caches(_ machine: Int, _ limit: String?, _ expected: Int) {
    #expect(PageCache.kibibytes(ofMachine: machine * 1_024 * 1_024, controlGroup: limit) == expected)
  }
}
