import Foundation
import Testing
import TimeclockDomain

@testable import SQLiteStorage
@testable import SchemaMigrations

@Suite("Schema migrations")
struct MigrationTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../sql/migrations").standardized

  @Test("are the files of the folder, in order, word by word: if not, run scripts/list-migrations")
  func listAndFolder() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    let listed = ["sqlite": SchemaMigrations.sqlite, "postgresql": SchemaMigrations.postgresql]
      .flatMap { dialect, migrations in
        migrations.map { (file: String(format: "%04d_\($0.title).\(dialect).sql", $0.number), text: $0.sql) }
      }
      .sorted { $0.file < $1.file }
    #expect(files == listed.map(\.file))
    for (file, text) in listed {
      #expect(try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8) == text)
      #expect(text.hasPrefix("-- "), "\(file) does not begin with why")
    }
    #expect(SchemaMigrations.sqlite.map(\.number) == Array(1...Int64(files.count / 2)))
  }

  @Test("have the checksum that FNV-1a's authors give")
  func checksum() {
    let migration = SchemaMigration(number: 1, title: "", sql: "foobar")
    #expect(migration.checksum == Int64(bitPattern: 0x8594_4171_F739_67E8))
  }

  @Test("that databases were made with stay as they are: what changes later is another migration")
  func released() {
    // Until 0.1 is released nobody has a database to lose: then a change of the baseline renews its numbers here.
    let released: [(sqlite: Int64, postgresql: Int64)] = [
      (sqlite: -1561700143646676932, postgresql: 5460782616713165579)
    ]
    #expect(SchemaMigrations.sqlite.prefix(released.count).map(\.checksum) == released.map(\.sqlite))
    #expect(SchemaMigrations.postgresql.prefix(released.count).map(\.checksum) == released.map(\.postgresql))
  }

  /// A migration behind those of the program.
  private static let next = SchemaMigration(
    number: Int64(SchemaMigrations.sqlite.count) + 1, title: "next",
    sql: "CREATE TABLE next (x INTEGER) STRICT; ALTER TABLE sessions ADD COLUMN y INTEGER;")
  private static let withNext = SchemaMigrations.sqlite + [next]

  @Test("run once each, the next one later, and make of an older database what a new one is")
  func update() async throws {
    func schema(in storage: SQLiteStorage) throws -> [String] {
      try storage.read {
        try $0.statement(built: "SELECT name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY rowid")
          .all([]) { $0.text(0) }
      }
    }
    let older = try TestDatabase()
    var upgraded: [String] = []
    for migrations in [SchemaMigrations.sqlite, SchemaMigrations.sqlite, Self.withNext, Self.withNext] {
      let storage = try older.open(migrations: migrations)
      let applied = try await storage.writer.write { transaction in
        try transaction.statement(
          "SELECT number || title || (checksum <> 0) || applied_at FROM schema_migrations ORDER BY number"
        ).all([]) { $0.text(0) }
      }
      #expect(applied == migrations.map { "\($0.number)\($0.title)11795165200123" })
      upgraded = try schema(in: storage)
      await storage.close()
    }
    let new = try TestDatabase().open(migrations: Self.withNext)
    #expect(try schema(in: new) == upgraded)
    #expect(upgraded.contains { $0.hasPrefix("next: CREATE TABLE") })
    await new.close()
  }

  @Test("that fail leave nothing behind")
  func failure() async throws {
    let database = try TestDatabase()
    let bad = SchemaMigration(
      number: Self.next.number, title: "bad", sql: "CREATE TABLE a (x); CREATE TABLE row_numbers (y);")
    #expect(throws: SQLiteStorageError.self) {
      try database.open(migrations: SchemaMigrations.sqlite + [bad])
    }
    let storage = try database.open()
    let tables = try storage.read {
      try $0.statement("SELECT count(*) FROM sqlite_schema WHERE name = 'a'").first([]) { $0.integer(0) }
    }
    #expect(tables == 0)
    await storage.close()
  }

  @Test("refuse a database that is newer, or that went through others")
  func refusals() async throws {
    let database = try TestDatabase()
    await (try database.open(migrations: Self.withNext)).close()
    let known = Self.next.number - 1
    #expect(throws: SQLiteStorageError.schemaIsNewer(database: known + 1, program: known)) {
      try database.open()
    }
    let edited = SchemaMigration(number: known + 1, title: "next", sql: Self.next.sql + " ")
    #expect(throws: SQLiteStorageError.migrationDiffers(number: known + 1)) {
      try database.open(migrations: SchemaMigrations.sqlite + [edited])
    }
    // A refused opening has let go of everything.
    await (try database.open(migrations: Self.withNext)).close()
  }

  @Test(
    "refuse a database from before version 0.1, of whichever of its steps, and leave every byte of it",
    arguments: [1, 35])
  func unreleased(steps: Int) throws {
    let database = try TestDatabase()
    let connection = try database.connection()
    try connection.execute(
      """
      CREATE TABLE schema_migrations (
        number INTEGER PRIMARY KEY, title TEXT NOT NULL, checksum INTEGER NOT NULL, applied_at INTEGER NOT NULL
      ) STRICT;
      INSERT INTO schema_migrations VALUES (1, 'time_clock', 1, 0);
      CREATE TABLE organizations (organization_id INTEGER PRIMARY KEY) STRICT;
      """)
    for number in 1..<steps {
      try connection.execute("INSERT INTO schema_migrations VALUES (\(number + 1), 'step', 1, 0)")
    }
    connection.close()
    let before = try Data(contentsOf: URL(filePath: database.path))
    #expect(throws: SQLiteStorageError.schemaIsUnreleased) { try database.open() }
    #expect(throws: SQLiteStorageError.schemaIsUnreleased) { try SQLiteAuditedDatabase(path: database.path) }
    #expect(throws: SQLiteStorageError.schemaIsUnreleased) { try SQLiteCopySource(path: database.path) }
    #expect(throws: SQLiteStorageError.schemaIsUnreleased) { try SQLiteCopyTarget(path: database.path) }
    #expect(try Data(contentsOf: URL(filePath: database.path)) == before)
    #expect(SQLiteStorageError.schemaIsUnreleased.needsPerson)
  }
}
