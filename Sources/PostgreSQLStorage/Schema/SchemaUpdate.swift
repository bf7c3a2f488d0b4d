import SchemaMigrations
import TimeclockDomain

/// Brings a database's schema up to date, one process at a time.
struct SchemaUpdate {
  let connection: EstablishedConnection
  let now: Instant

  /// Runs the migrations that the database has not been through, each in a transaction with its own record.
  ///
  /// An advisory lock keeps other processes waiting; it goes with the connection
  /// (postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS).
  ///
  /// - Throws: `PostgreSQLStorageError`; `PostgreSQLError` if the connection fails.
  func run(_ migrations: [SchemaMigration]) throws {
    try connection.execute("SET lock_timeout = 0; SET statement_timeout = 0")
    try connection.execute("SELECT pg_advisory_lock(\(Self.lockKey))")
    let applied: [Int64]
    do {
      applied = try appliedMigrations()
    } catch let error as PostgreSQLError where !error.endsConnection {
      // Such as a role that may not create tables.
      throw PostgreSQLStorageError.cannotMigrate(number: Int64(migrations.count), reason: error.message)
    }
    try check(applied, against: migrations)
    for migration in migrations.dropFirst(applied.count) { try apply(migration) }
  }

  /// Makes sure, without changing anything, that the database has been through these migrations and no others.
  ///
  /// - Throws: `PostgreSQLStorageError.schemaIsUnreleased`, `.schemaIsNewer`, `.schemaIsOlder`, `.migrationDiffers`;
  ///   `PostgreSQLError`.
  func requireCurrent(_ migrations: [SchemaMigration]) throws {
    let isOwn = try connection.execute("SELECT to_regclass('schema_migrations')") != nil
    let applied = isOwn ? try recordedMigrations() : []
    try check(applied, against: migrations)
    guard applied.count == migrations.count else {
      throw PostgreSQLStorageError.schemaIsOlder(
        database: Int64(applied.count), program: Int64(migrations.count))
    }
  }

  private func check(_ applied: [Int64], against migrations: [SchemaMigration]) throws {
    if Int64(applied.count) > Int64(migrations.count) {
      throw PostgreSQLStorageError.schemaIsNewer(
        database: Int64(applied.count), program: Int64(migrations.count))
    }
    for (checksum, migration) in zip(applied, migrations) where checksum != migration.checksum {
      throw PostgreSQLStorageError.migrationDiffers(number: migration.number)
    }
  }

  /// The checksums of the migrations that the database has been through, in order; makes their table if it is missing.
  private func appliedMigrations() throws -> [Int64] {
    if try connection.execute("SELECT to_regclass('schema_migrations')") == nil {
      let tables = try connection.execute(
        "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")
      guard tables == "0" else { throw PostgreSQLStorageError.foreignDatabase }
      try connection.execute(
        """
        CREATE TABLE schema_migrations (
          number BIGINT CONSTRAINT schema_migrations_pkey PRIMARY KEY, title TEXT NOT NULL,
          checksum BIGINT NOT NULL, applied_at BIGINT NOT NULL)
        """)
    }
    return try recordedMigrations()
  }

  /// The checksums in `schema_migrations`, in order. Throws `.schemaIsUnreleased` for a database from before version 0.1.
  private func recordedMigrations() throws -> [Int64] {
    let first = try connection.execute("SELECT title FROM schema_migrations WHERE number = 1")
    guard first != SchemaMigrations.unreleasedTitle else { throw PostgreSQLStorageError.schemaIsUnreleased }
    let list = try connection.execute(
      "SELECT string_agg(checksum::text, ' ' ORDER BY number) FROM schema_migrations")
    return (list ?? "").split(separator: " ").map { Int64($0) ?? 0 }
  }

  private func apply(_ migration: SchemaMigration) throws {
    do {
      try connection.execute("BEGIN; \(RowScope.Setting.everyoneInTransaction)")
      try connection.execute(migration.sql)
      // The title is a word of a file's name, and needs no quoting.
      try connection.execute(
        """
        INSERT INTO schema_migrations VALUES
          (\(migration.number), '\(migration.title)', \(migration.checksum), \(now.millisecondsSince1970))
        """)
      try connection.execute("COMMIT")
    } catch let error as PostgreSQLError {
      throw PostgreSQLStorageError.cannotMigrate(number: migration.number, reason: error.message)
    }
  }

  /// "timeclck" as a number: any that no other program would take.
  private static let lockKey: Int64 = 0x7469_6D65_636C_636B
}
