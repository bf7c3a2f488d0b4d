/// One step of a database's schema.
package struct SchemaMigration: Sendable {
  /// Counts from 1 without gaps.
  package let number: Int64
  /// The words of the file's name.
  package let title: String
  /// The SQL text, in the dialect of the list it stands in.
  package let sql: String

  /// The 64-bit FNV-1a hash of the SQL text: tells an edited migration, and is not meant against malice.
  package var checksum: Int64 {
    Int64(
      bitPattern: sql.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }
}

/// All migrations, in order; one list for each dialect, with the same numbers and titles.
package enum SchemaMigrations {
  package static let sqlite = [
    SchemaMigration(
      number: 1, title: "time_clock",
      sql: String(decoding: PackageResources._001_time_clock_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 2, title: "changes",
      sql: String(decoding: PackageResources._002_changes_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 3, title: "idempotency_keys",
      sql: String(decoding: PackageResources._003_idempotency_keys_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 4, title: "personal_data",
      sql: String(decoding: PackageResources._004_personal_data_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 5, title: "auto_clock_out",
      sql: String(decoding: PackageResources._005_auto_clock_out_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 6, title: "sessions",
      sql: String(decoding: PackageResources._006_sessions_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 7, title: "reports",
      sql: String(decoding: PackageResources._007_reports_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 8, title: "log_in_attempts",
      sql: String(decoding: PackageResources._008_log_in_attempts_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 9, title: "row_level_security",
      sql: String(decoding: PackageResources._009_row_level_security_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 10, title: "cheaper_row_level_security",
      sql: String(decoding: PackageResources._010_cheaper_row_level_security_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 11, title: "member_addresses",
      sql: String(decoding: PackageResources._011_member_addresses_sqlite_sql, as: UTF8.self)),
    SchemaMigration(
      number: 12, title: "manual_entry_days",
      sql: String(decoding: PackageResources._012_manual_entry_days_sqlite_sql, as: UTF8.self)),
  ]

  package static let postgresql = [
    SchemaMigration(
      number: 1, title: "time_clock",
      sql: String(decoding: PackageResources._001_time_clock_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 2, title: "changes",
      sql: String(decoding: PackageResources._002_changes_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 3, title: "idempotency_keys",
      sql: String(decoding: PackageResources._003_idempotency_keys_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 4, title: "personal_data",
      sql: String(decoding: PackageResources._004_personal_data_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 5, title: "auto_clock_out",
      sql: String(decoding: PackageResources._005_auto_clock_out_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 6, title: "sessions",
      sql: String(decoding: PackageResources._006_sessions_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 7, title: "reports",
      sql: String(decoding: PackageResources._007_reports_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 8, title: "log_in_attempts",
      sql: String(decoding: PackageResources._008_log_in_attempts_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 9, title: "row_level_security",
      sql: String(decoding: PackageResources._009_row_level_security_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 10, title: "cheaper_row_level_security",
      sql: String(decoding: PackageResources._010_cheaper_row_level_security_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 11, title: "member_addresses",
      sql: String(decoding: PackageResources._011_member_addresses_postgresql_sql, as: UTF8.self)),
    SchemaMigration(
      number: 12, title: "manual_entry_days",
      sql: String(decoding: PackageResources._012_manual_entry_days_postgresql_sql, as: UTF8.self)),
  ]
}
