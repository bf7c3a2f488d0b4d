// Listed by scripts/list-migrations from the files in sql/migrations: run it when they change.

extension SchemaMigrations {
  /// The files of all migrations, in order.
  static let files = [
    SchemaMigrationFiles(
      title: "schema",
      sqlite: PackageResources._001_schema_sqlite_sql,
      postgresql: PackageResources._001_schema_postgresql_sql),
    SchemaMigrationFiles(
      title: "holiday_calendars",
      sqlite: PackageResources._002_holiday_calendars_sqlite_sql,
      postgresql: PackageResources._002_holiday_calendars_postgresql_sql),
    SchemaMigrationFiles(
      title: "holidays",
      sqlite: PackageResources._003_holidays_sqlite_sql,
      postgresql: PackageResources._003_holidays_postgresql_sql),
    SchemaMigrationFiles(
      title: "work_schedules",
      sqlite: PackageResources._004_work_schedules_sqlite_sql,
      postgresql: PackageResources._004_work_schedules_postgresql_sql),
    SchemaMigrationFiles(
      title: "entitlements",
      sqlite: PackageResources._005_entitlements_sqlite_sql,
      postgresql: PackageResources._005_entitlements_postgresql_sql),
    SchemaMigrationFiles(
      title: "adjustments",
      sqlite: PackageResources._006_adjustments_sqlite_sql,
      postgresql: PackageResources._006_adjustments_postgresql_sql),
    SchemaMigrationFiles(
      title: "groups",
      sqlite: PackageResources._007_groups_sqlite_sql,
      postgresql: PackageResources._007_groups_postgresql_sql),
    SchemaMigrationFiles(
      title: "managers_see",
      sqlite: PackageResources._008_managers_see_sqlite_sql,
      postgresql: PackageResources._008_managers_see_postgresql_sql),
    SchemaMigrationFiles(
      title: "absences",
      sqlite: PackageResources._009_absences_sqlite_sql,
      postgresql: PackageResources._009_absences_postgresql_sql),
    SchemaMigrationFiles(
      title: "periods",
      sqlite: PackageResources._010_periods_sqlite_sql,
      postgresql: PackageResources._010_periods_postgresql_sql),
    SchemaMigrationFiles(
      title: "balance_caps",
      sqlite: PackageResources._011_balance_caps_sqlite_sql,
      postgresql: PackageResources._011_balance_caps_postgresql_sql),
    SchemaMigrationFiles(
      title: "corrections",
      sqlite: PackageResources._012_corrections_sqlite_sql,
      postgresql: PackageResources._012_corrections_postgresql_sql),
    SchemaMigrationFiles(
      title: "pay_rules",
      sqlite: PackageResources._013_pay_rules_sqlite_sql,
      postgresql: PackageResources._013_pay_rules_postgresql_sql),
    SchemaMigrationFiles(
      title: "record_reads",
      sqlite: PackageResources._014_record_reads_sqlite_sql,
      postgresql: PackageResources._014_record_reads_postgresql_sql),
    SchemaMigrationFiles(
      title: "approval_overtime",
      sqlite: PackageResources._015_approval_overtime_sqlite_sql,
      postgresql: PackageResources._015_approval_overtime_postgresql_sql),
    SchemaMigrationFiles(
      title: "organization_moves",
      sqlite: PackageResources._016_organization_moves_sqlite_sql,
      postgresql: PackageResources._016_organization_moves_postgresql_sql),
  ]
}
