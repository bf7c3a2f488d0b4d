import Procedures
import TimeclockDomain

extension CopiedTable {
  /// Every table that is copied, each after those that it refers to. A migration that adds a table or a column
  /// adds it here; a test compares this list with the catalogs of both databases.
  package static let all =
    [
      CopiedTable(Organization.table),
      CopiedTable(
        "users", key: ["user_id"], rows: .membersOfOrganization, numbering: .byTable("user_id"),
        columns: [
          .integer("user_id"), .identifier("id"), .text("email"), .text("email_key"), .text("name"),
          .text("password_hash"), .integer("created_at"), .bool("one_time_password"), .text("language"),
        ]),
      // `accepted` is copied unchanged: an account that an organization has only added opens nothing in the copy either.
      CopiedTable(StoredMember.table),
      // An organization's are its API tokens. A log-in is the person's, good elsewhere too, and stays behind.
      CopiedTable(StoredToken.apiTokens, key: ["token_id"]),
      CopiedTable(StoredInvitation.table),
    ] + tabledRecords.filter { $0 != Period.self }.map { $0.copied } + [
      CopiedTable(
        "group_people", key: ["organization_id", "group_id", "part", "user_id"], rows: .organization,
        columns: [
          .integer("organization_id"), .integer("group_id"), .text("part"), .integer("user_id"),
        ]),
      CopiedTable(RecordRead.table),
      CopiedTable(
        "record_read_people", key: ["organization_id", "record_read_id", "user_id"], rows: .organization,
        columns: [.integer("organization_id"), .integer("record_read_id"), .integer("user_id")]),
      CopiedTable(StoredWebhook.table),
      CopiedTable(StoredReminder.table),
      CopiedTable(Session.table),
      CopiedTable(
        "session_assignees", key: ["organization_id", "session_id", "user_id"], rows: .organization,
        columns: [.integer("organization_id"), .integer("session_id"), .integer("user_id")]),
      CopiedTable(
        "time_entries", key: ["organization_id", "user_id", "date", "created_at", "entry_number"],
        rows: .organization, numbering: .byRowNumbers("entry_number"),
        columns: [
          .integer("organization_id"), .integer("user_id"), .integer("date"), .integer("created_at"),
          .integer("entry_number"), .identifier("id"), .integer("clock_in"), .integer("clock_out"),
          .text("time_zone"), .integer("offset_seconds"), .integer("session_id"), .text("notes"),
          .text("source"), .integer("flags"), .integer("version"), .integer("updated_at"),
        ]),
      CopiedTable(StoredSegment.table, key: ["organization_id", "user_id", "start_time"]),
      // Marks bind the rows before them.
      Period.copied,
      CopiedTable(MemberTimer.table),
      CopiedTable(StoredTimerSession.table, key: ["organization_id", "user_id", "start_time", "type"]),
      CopiedTable(StoredPushTarget.table, rows: .endingWithItsTokens),
      CopiedTable(
        "changes", key: ["change_number"], rows: .organization, numbering: .byRowNumbers("change_number"),
        columns: [
          .integer("change_number"), .integer("organization_id"), .integer("time"), .text("author_means"),
          .identifier("author_id"), .identifier("author_token_id"), .identifier("request_id"),
          .text("operation"),
          .text("kind"), .text("resource"), .identifier("resource_id"), .text("before"), .text("after"),
          .text("reason"), .bytes("salt"),
        ]),
      CopiedTable(
        "change_seals", key: ["change_number"], rows: .organization,
        columns: [
          .integer("organization_id"), .integer("sequence"), .integer("change_number"),
          .bytes("content_digest"),
          .bytes("hash"),
        ]),
      // A request that was answered before the copy is not done again after it.
      CopiedTable(
        "idempotency_keys", key: ["digest"], rows: .nobody,
        columns: [
          .bytes("digest"), .integer("user_id"), .bytes("fingerprint"), .bytes("salt"), .integer("status"),
          .text("entity_tag"), .text("location"), .bytes("body"), .integer("expires_at"),
        ]),
    ]

  /// Tables that go with an organization from one cell to another, and that a copy leaves behind: the one database goes on where the
  /// other has stopped.
  package static let ofMove =
    all + [
      CopiedTable(
        "webhook_cursors", key: ["organization_id", "webhook_id"], rows: .organization,
        columns: [
          .integer("organization_id"), .integer("webhook_id"), .integer("position"), .integer("failures"),
          .integer("failing_since"), .integer("due_at"),
        ]),
      CopiedTable(
        "webhook_attempts", key: ["organization_id", "webhook_id", "webhook_attempt_id"], rows: .organization,
        numbering: .byRowNumbers("webhook_attempt_id"),
        columns: [
          .integer("webhook_attempt_id"), .integer("organization_id"), .integer("webhook_id"),
          .integer("sequence"), .integer("time"), .integer("status"), .text("error"),
          .integer("milliseconds"),
        ]),
    ]

  /// Tables that each database keeps about itself: `schema_migrations` says how it was made, and `row_numbers` stands
  /// for the numbers of `Numbering`, which are carried over. Counts of `log_in_attempts` expire within the hour, and an
  /// unknown network soon becomes known. A webhook without a cursor is disabled: two databases are not to send the same
  /// changes. The log of a copy has an epoch of its own, and `correcting` has rows only while a transaction writes. What has
  /// moved to another cell, or is on its way, is not copied (`CopyError.departed`), and from where something came says nothing
  /// about a copy.
  package static let ofTheDatabaseItself = [
    "schema_migrations", "row_numbers", "unsealed_changes", "log_in_attempts", "webhook_cursors",
    "webhook_attempts", "log_epoch", "correcting", "organization_departures", "organization_arrivals",
  ]
}

extension TabledRecord {
  fileprivate static var copied: CopiedTable { CopiedTable(table.rows) }
}
