import TimeclockDomain

/// The lock under which PostgreSQL's changes are sealed, one process at a time in an organization
/// (docs/decisions/0008-changes.md).
package enum SealingLock {
  /// The two numbers of the advisory lock, as SQL: the organization's is the first parameter, in a space of its own.
  package static let key = "x'7365616c'::int, ($1::bigint % 2147483647)::int"
}

/// The rest of webhooks whose receivers have everything: on PostgreSQL nobody looks at them until there is more.
///
/// A place in the log is laid to rest under the sealing lock, if it is the log's end or nothing is sent; and whatever gives
/// a webhook something to do (a change, also one of the webhook or of the organization itself) is sealed, which wakes it
/// in the same transaction. So none rests that has something to do, whichever comes first.
///
/// SQLite's changes are sealed with the writes that make them, none of which is to look for webhooks as well: there every
/// place is looked at, and none rests.
package enum WebhookWaking {
  /// Makes an organization's webhooks that rest due. For the transaction that seals the organization's changes.
  package static let statement = RecordStatement(
    """
    UPDATE webhook_cursors c SET due_at = 0 WHERE c.organization_id = $1 AND c.due_at = \(WebhookRest.never) \
    AND EXISTS (SELECT 1 FROM webhooks w WHERE w.organization_id = $1 AND w.webhook_id = c.webhook_id AND w.enabled)
    """)
}

/// The statements that lay webhooks to rest.
enum WebhookRest {
  /// The time at which one is due that rests, in place of milliseconds.
  static let never = Int64.max

  /// Whether nothing is to be sent: `c` stands for the place, `w` for the webhook, and `o` for the organization.
  static let isIdle = """
    (NOT w.enabled OR o.state <> 'active' OR c.position = coalesce(( \
    SELECT s.sequence FROM change_seals s WHERE s.organization_id = c.organization_id \
    ORDER BY s.sequence DESC LIMIT 1), 0))
    """

  /// Takes the sealing lock if it is free. On SQLite it never is: nothing would wake what rests.
  static let lock = RecordStatement(
    "FROM organizations WHERE organization_id = $1",
    columns: RecordColumns(
      [("is_taken", "pg_try_advisory_xact_lock(\(SealingLock.key))")], sqlite: ["is_taken": "false"]))

  /// Lays those to rest that are due and idle.
  static let begin = RecordStatement(
    """
    UPDATE webhook_cursors AS c SET due_at = \(never) WHERE c.organization_id = $1 AND c.due_at <= $2 AND EXISTS ( \
    SELECT 1 FROM webhooks w JOIN organizations o ON o.organization_id = w.organization_id \
    WHERE w.organization_id = $1 AND w.webhook_id = c.webhook_id AND \(isIdle))
    """, returning: RecordColumns("webhook_id"))
}

/// The webhooks that a look has found due.
package struct WebhookLook: Sendable {
  /// Enabled ones of active organizations, behind whose place the log has changes.
  package var due: [DueWebhook]
  /// The organizations with others, which have nothing to send; none on SQLite.
  package var idle: Set<OrganizationKey>
  /// Whether there may be more.
  package var isFull: Bool
}

extension Storage {
  /// Lays webhooks of an organization to rest that are due and have nothing to send; none if changes of the organization
  /// are being sealed at this moment.
  ///
  /// - Returns: The number of them; none on SQLite.
  package func restIdleWebhooks(of organization: OrganizationKey, at now: Instant) async throws -> Int {
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let isTaken = try await transaction.first(WebhookRest.lock, [.key(organization)]) {
        $0.bool("is_taken")
      }
      // Behind the lock places and the log's end are as the last sealing has left them.
      guard isTaken == true else { return 0 }
      return try await transaction.read(WebhookRest.begin, [.key(organization), .instant(now)]) { _ in }.count
    }
  }
}
