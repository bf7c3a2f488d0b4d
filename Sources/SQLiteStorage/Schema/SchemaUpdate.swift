import SchemaMigrations
import TimeclockDomain

/// Brings a database's schema up to date.
struct SchemaUpdate {
  let connection: SQLiteConnection
  let now: Instant

  /// Runs the migrations that the database has not been through, each in a transaction with its own record.
  ///
  /// - Throws: `SQLiteStorageError.foreignDatabase`, `.schemaIsUnreleased`, `.schemaIsNewer`, `.migrationDiffers`;
  ///   `SQLiteError`.
  func run(_ migrations: [SchemaMigration]) throws {
    try requireOwnDatabase()
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS schema_migrations (
        number INTEGER PRIMARY KEY, title TEXT NOT NULL, checksum INTEGER NOT NULL, applied_at INTEGER NOT NULL
      ) STRICT
      """)
    let applied = try checkedCount(of: migrations)
    for migration in migrations.dropFirst(applied) { try apply(migration) }
  }

  /// Makes sure, without changing anything, that the database has been through these migrations and no others.
  ///
  /// - Throws: `SQLiteStorageError.foreignDatabase`, `.schemaIsUnreleased`, `.schemaIsNewer`, `.schemaIsOlder`,
  ///   `.migrationDiffers`; `SQLiteError`.
  func requireCurrent(_ migrations: [SchemaMigration]) throws {
    try requireOwnDatabase()
    let tables = try connection.text("SELECT count(*) FROM sqlite_schema")
    let applied = tables == "0" ? 0 : try checkedCount(of: migrations)
    guard applied == migrations.count else {
      throw SQLiteStorageError.schemaIsOlder(database: Int64(applied), program: Int64(migrations.count))
    }
  }

  /// The number of the migrations that the database has been through; throws for any others.
  private func checkedCount(of migrations: [SchemaMigration]) throws -> Int {
    let applied = try connection.statement("SELECT number, checksum FROM schema_migrations ORDER BY number")
      .all([]) { (number: $0.integer(0), checksum: $0.integer(1)) }
    if let last = applied.last, last.number > Int64(migrations.count) {
      throw SQLiteStorageError.schemaIsNewer(database: last.number, program: Int64(migrations.count))
    }
    for (record, migration) in zip(applied, migrations)
    where record.number != migration.number || record.checksum != migration.checksum {
      throw SQLiteStorageError.migrationDiffers(number: migration.number)
    }
    return applied.count
  }

  /// Throws `.foreignDatabase` for a database that has tables, but none that says which migrations it has
  /// been through: it is some other program's. Throws `.schemaIsUnreleased` for one from before version 0.1.
  func requireOwnDatabase() throws {
    guard try connection.text("SELECT count(*) FROM sqlite_schema") != "0" else { return }
    let isForeign = try connection.text("SELECT sum(name = 'schema_migrations') = 0 FROM sqlite_schema")
    guard isForeign == "0" else { throw SQLiteStorageError.foreignDatabase }
    let first = try connection.text("SELECT title FROM schema_migrations WHERE number = 1")
    guard first != SchemaMigrations.unreleasedTitle else { throw SQLiteStorageError.schemaIsUnreleased }
  }

  private func apply(_ migration: SchemaMigration) throws {
    try connection.execute("BEGIN IMMEDIATE")
    do {
      try connection.execute(migration.sql)
      try connection.statement("INSERT INTO schema_migrations VALUES (?1, ?2, ?3, ?4)").run([
        .integer(migration.number), .text(migration.title), .integer(migration.checksum), .instant(now),
      ])
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}
