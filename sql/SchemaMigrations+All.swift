// Listed by scripts/list-migrations from the files in sql/migrations: run it when they change.

extension SchemaMigrations {
  /// The files of all migrations, in order.
  static let files = [
    SchemaMigrationFiles(
      title: "time_clock",
      sqlite: PackageResources._001_time_clock_sqlite_sql,
      postgresql: PackageResources._001_time_clock_postgresql_sql),
    SchemaMigrationFiles(
      title: "changes",
      sqlite: PackageResources._002_changes_sqlite_sql,
      postgresql: PackageResources._002_changes_postgresql_sql),
    SchemaMigrationFiles(
      title: "idempotency_keys",
      sqlite: PackageResources._003_idempotency_keys_sqlite_sql,
      postgresql: PackageResources._003_idempotency_keys_postgresql_sql),
    SchemaMigrationFiles(
      title: "personal_data",
      sqlite: PackageResources._004_personal_data_sqlite_sql,
      postgresql: PackageResources._004_personal_data_postgresql_sql),
    SchemaMigrationFiles(
      title: "auto_clock_out",
      sqlite: PackageResources._005_auto_clock_out_sqlite_sql,
      postgresql: PackageResources._005_auto_clock_out_postgresql_sql),
    SchemaMigrationFiles(
      title: "sessions",
      sqlite: PackageResources._006_sessions_sqlite_sql,
      postgresql: PackageResources._006_sessions_postgresql_sql),
    SchemaMigrationFiles(
      title: "reports",
      sqlite: PackageResources._007_reports_sqlite_sql,
      postgresql: PackageResources._007_reports_postgresql_sql),
    SchemaMigrationFiles(
      title: "log_in_attempts",
      sqlite: PackageResources._008_log_in_attempts_sqlite_sql,
      postgresql: PackageResources._008_log_in_attempts_postgresql_sql),
    SchemaMigrationFiles(
      title: "row_level_security",
      sqlite: PackageResources._009_row_level_security_sqlite_sql,
      postgresql: PackageResources._009_row_level_security_postgresql_sql),
    SchemaMigrationFiles(
      title: "cheaper_row_level_security",
      sqlite: PackageResources._010_cheaper_row_level_security_sqlite_sql,
      postgresql: PackageResources._010_cheaper_row_level_security_postgresql_sql),
    SchemaMigrationFiles(
      title: "member_addresses",
      sqlite: PackageResources._011_member_addresses_sqlite_sql,
      postgresql: PackageResources._011_member_addresses_postgresql_sql),
    SchemaMigrationFiles(
      title: "manual_entry_days",
      sqlite: PackageResources._012_manual_entry_days_sqlite_sql,
      postgresql: PackageResources._012_manual_entry_days_postgresql_sql),
    SchemaMigrationFiles(
      title: "break_types",
      sqlite: PackageResources._013_break_types_sqlite_sql,
      postgresql: PackageResources._013_break_types_postgresql_sql),
    SchemaMigrationFiles(
      title: "personnel_numbers",
      sqlite: PackageResources._014_personnel_numbers_sqlite_sql,
      postgresql: PackageResources._014_personnel_numbers_postgresql_sql),
    SchemaMigrationFiles(
      title: "read_only_tokens",
      sqlite: PackageResources._015_read_only_tokens_sqlite_sql,
      postgresql: PackageResources._015_read_only_tokens_postgresql_sql),
    SchemaMigrationFiles(
      title: "organization_states",
      sqlite: PackageResources._016_organization_states_sqlite_sql,
      postgresql: PackageResources._016_organization_states_postgresql_sql),
    SchemaMigrationFiles(
      title: "one_time_passwords",
      sqlite: PackageResources._017_one_time_passwords_sqlite_sql,
      postgresql: PackageResources._017_one_time_passwords_postgresql_sql),
    SchemaMigrationFiles(
      title: "invitations",
      sqlite: PackageResources._018_invitations_sqlite_sql,
      postgresql: PackageResources._018_invitations_postgresql_sql),
    SchemaMigrationFiles(
      title: "fewer_pages",
      sqlite: PackageResources._019_fewer_pages_sqlite_sql,
      postgresql: PackageResources._019_fewer_pages_postgresql_sql),
    SchemaMigrationFiles(
      title: "projects",
      sqlite: PackageResources._020_projects_sqlite_sql,
      postgresql: PackageResources._020_projects_postgresql_sql),
    SchemaMigrationFiles(
      title: "words_one_by_one",
      sqlite: PackageResources._021_words_one_by_one_sqlite_sql,
      postgresql: PackageResources._021_words_one_by_one_postgresql_sql),
    SchemaMigrationFiles(
      title: "tasks",
      sqlite: PackageResources._022_tasks_sqlite_sql,
      postgresql: PackageResources._022_tasks_postgresql_sql),
    SchemaMigrationFiles(
      title: "members_projects",
      sqlite: PackageResources._023_members_projects_sqlite_sql,
      postgresql: PackageResources._023_members_projects_postgresql_sql),
    SchemaMigrationFiles(
      title: "segments",
      sqlite: PackageResources._024_segments_sqlite_sql,
      postgresql: PackageResources._024_segments_postgresql_sql),
    SchemaMigrationFiles(
      title: "break_rules",
      sqlite: PackageResources._025_break_rules_sqlite_sql,
      postgresql: PackageResources._025_break_rules_postgresql_sql),
    SchemaMigrationFiles(
      title: "clocking_in_for",
      sqlite: PackageResources._026_clocking_in_for_sqlite_sql,
      postgresql: PackageResources._026_clocking_in_for_postgresql_sql),
    SchemaMigrationFiles(
      title: "webhooks",
      sqlite: PackageResources._027_webhooks_sqlite_sql,
      postgresql: PackageResources._027_webhooks_postgresql_sql),
    SchemaMigrationFiles(
      title: "reminders",
      sqlite: PackageResources._028_reminders_sqlite_sql,
      postgresql: PackageResources._028_reminders_postgresql_sql),
    SchemaMigrationFiles(
      title: "timers",
      sqlite: PackageResources._029_timers_sqlite_sql,
      postgresql: PackageResources._029_timers_postgresql_sql),
    SchemaMigrationFiles(
      title: "push_targets",
      sqlite: PackageResources._030_push_targets_sqlite_sql,
      postgresql: PackageResources._030_push_targets_postgresql_sql),
    SchemaMigrationFiles(
      title: "segments_of_reports",
      sqlite: PackageResources._031_segments_of_reports_sqlite_sql,
      postgresql: PackageResources._031_segments_of_reports_postgresql_sql),
    SchemaMigrationFiles(
      title: "log_epoch",
      sqlite: PackageResources._032_log_epoch_sqlite_sql,
      postgresql: PackageResources._032_log_epoch_postgresql_sql),
    SchemaMigrationFiles(
      title: "personnel_number_bytes",
      sqlite: PackageResources._033_personnel_number_bytes_sqlite_sql,
      postgresql: PackageResources._033_personnel_number_bytes_postgresql_sql),
    SchemaMigrationFiles(
      title: "log_in_clients",
      sqlite: PackageResources._034_log_in_clients_sqlite_sql,
      postgresql: PackageResources._034_log_in_clients_postgresql_sql),
    SchemaMigrationFiles(
      title: "languages",
      sqlite: PackageResources._035_languages_sqlite_sql,
      postgresql: PackageResources._035_languages_postgresql_sql),
  ]
}
