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

  @Test("run once each, and the next one later")
  func update() async throws {
    let database = try TestDatabase()
    let first = [SchemaMigration(number: 1, title: "one", sql: Self.base + "CREATE TABLE a (x) ;")]
    let second = first + [SchemaMigration(number: 2, title: "two", sql: "ALTER TABLE a ADD COLUMN y;")]
    for migrations in [first, first, second, second] {
      let storage = try database.open(migrations: migrations)
      let applied = try await storage.writer.write { transaction in
        try transaction.statement(
          "SELECT number || title || (checksum <> 0) || applied_at FROM schema_migrations ORDER BY number"
        ).all([]) { $0.text(0) }
      }
      let expected = ["1one11795165200123", "2two11795165200123"]
      #expect(applied == Array(expected.prefix(migrations.count)))
      await storage.close()
    }
  }

  @Test("that fail leave nothing behind")
  func failure() async throws {
    let database = try TestDatabase()
    let good = SchemaMigration(number: 1, title: "one", sql: Self.base)
    let bad = SchemaMigration(
      number: 2, title: "two", sql: "CREATE TABLE a (x); CREATE TABLE row_numbers (y);")
    #expect(throws: SQLiteStorageError.self) { try database.open(migrations: [good, bad]) }
    let storage = try database.open(migrations: [good])
    let tables = try storage.read {
      try $0.statement("SELECT count(*) FROM sqlite_schema WHERE name = 'a'").first([]) { $0.integer(0) }
    }
    #expect(tables == 0)
    await storage.close()
  }

  @Test("refuse a database that is newer, or that went through others")
  func refusals() async throws {
    let database = try TestDatabase()
    let one = SchemaMigration(number: 1, title: "one", sql: Self.base)
    let two = SchemaMigration(number: 2, title: "two", sql: "CREATE TABLE a (x);")
    await (try database.open(migrations: [one, two])).close()
    #expect(throws: SQLiteStorageError.schemaIsNewer(database: 2, program: 1)) {
      try database.open(migrations: [one])
    }
    let edited = SchemaMigration(number: 1, title: "one", sql: Self.base + " ")
    #expect(throws: SQLiteStorageError.migrationDiffers(number: 1)) {
      try database.open(migrations: [edited, two])
    }
    // A refused opening has let go of everything.
    await (try database.open(migrations: [one, two])).close()
  }

  /// What a storage needs to open at all.
  private static let base = "CREATE TABLE row_numbers (last_number); INSERT INTO row_numbers VALUES (0);"
}
