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

  private static let views = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../sql/reporting/views.sqlite.sql").standardized

  /// Runs SQL on a file that no storage holds, as its owner can, past the references.
  private static func plant(_ sql: String, in database: TestDatabase) throws {
    let connection = try database.connection()
    defer { connection.close() }
    try connection.execute(sql)
  }

  @Test(
    "to fewer pages keep the chain with its gaps, what partial indexes hold, and an administrator's views"
  )
  func fewerPages() async throws {
    let database = try TestDatabase()
    let before = try database.open(migrations: Array(SchemaMigrations.sqlite.prefix(18)))
    let office = try await TestOffice(inOlder: before, number: 1)
    let other = try await TestOffice(inOlder: before, number: 2)
    for minute in 0..<22 {
      try await office.keep(minute)
      try await other.keep(minute)
    }
    try await office.keep(30, isActive: true)
    await before.close()
    // One change has lost its seal, one seal its change.
    try Self.plant(
      """
      DROP TRIGGER changes_are_kept; DROP TRIGGER change_seals_are_kept;
      DELETE FROM change_seals WHERE organization_id = 1 AND sequence = 5;
      DELETE FROM changes WHERE change_number IN (
        SELECT change_number FROM change_seals WHERE organization_id = 1 AND sequence = 7);
      UPDATE time_entries SET clock_out = clock_in + 86400001
      WHERE organization_id = 2 AND clock_in = (SELECT max(clock_in) FROM time_entries WHERE organization_id = 2);
      """ + String(contentsOf: Self.views, encoding: .utf8), in: database)

    func state() throws -> [[String]] {
      let connection = try SQLiteConnection(path: database.path, isReadOnly: true)
      defer { connection.close() }
      return try [
        """
        SELECT s.organization_id || ' ' || s.sequence || ' ' || s.change_number || hex(s.content_digest) || hex(s.hash)
        FROM change_seals s JOIN changes c ON c.change_number = s.change_number
        ORDER BY s.organization_id, s.sequence
        """, "SELECT change_number FROM changes ORDER BY change_number",
        "SELECT sequence || ' ' || kind FROM reporting_audit ORDER BY organization_id, sequence",
      ].map { try connection.statement(built: $0).all([]) { $0.text(0) } }
    }
    let expected = try state()
    // 22 entries each, and one more; two seals are of no use.
    #expect(expected[0].count > 40 && expected[1].count == expected[0].count + 1)
    #expect(expected[2].count == expected[0].count)

    let after = try database.open()
    let found = try state()
    #expect(found == expected)
    let organization = office.member.key.organization
    #expect(try await after.unsealedChanges(of: organization).lostCount == 1)
    let sequences = try await after.storedChanges(of: organization, after: 0, limit: 1_000).map(\.sequence)
    #expect(Array(sequences.prefix(6)) == [1, 2, 3, 4, 6, 8])
    // The chain continues, in each organization behind its own last seal.
    let last = try #require(sequences.last)
    let next = TestOffice(in: after, like: office)
    try await next.keep(-10)
    let added = try await after.storedChanges(of: organization, after: last, limit: 10)
    #expect(added.map(\.sequence) == [last + 1])
    try await after.writer.write { transaction in
      for (table, index) in [
        ("WHERE clock_out IS NULL", "time_entries_one_active"),
        ("WHERE clock_out - clock_in > 86400000", "time_entries_longer_than_a_day"),
      ] {
        let count = try transaction.connection.statement(
          built: "SELECT count(*) FROM time_entries INDEXED BY \(index) \(table)"
        ).first([]) { $0.integer(0) }
        #expect(count == 1, "\(index)")
      }
    }
    for forbidden in ["UPDATE change_seals SET hash = zeroblob(32)", "DELETE FROM change_seals"] {
      await #expect(throws: (any Error).self, "\(forbidden)") {
        try await after.writer.write { try $0.connection.execute(forbidden) }
      }
    }
    await after.close()
  }

  /// What a storage needs to open at all.
  private static let base = "CREATE TABLE row_numbers (last_number); INSERT INTO row_numbers VALUES (0);"
}
