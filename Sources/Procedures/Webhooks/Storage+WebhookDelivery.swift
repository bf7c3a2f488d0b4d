import TimeclockDomain

/// The statements about places in the log, and about attempts.
private enum WebhookRows {
  /// Those whose time has come, by it. Behind the place of one that is not idle are changes, or it is behind the log's end, as of
  /// another log.
  static let due = RecordStatement(
    "\(tables) WHERE c.due_at <= $1 AND \(Departed.none("c")) ORDER BY c.due_at LIMIT $2",
    columns: RecordColumns(
      Webhook.columns(enabled: "w.enabled") + [
        ("organization_id", "w.organization_id"), ("secret", "w.secret"), ("position", "c.position"),
        ("failures", "c.failures"), ("failing_since", "c.failing_since"), ("due_at", "c.due_at"),
        ("is_idle", WebhookRest.isIdle),
      ], sqlite: ["is_idle": "false"]),
    // None rests.
    sqlite: "\(tables) WHERE c.due_at <= $1 AND NOT \(WebhookRest.isIdle) ORDER BY c.due_at LIMIT $2",
    across: .webhooksAreDelivered)

  private static let tables = """
    FROM webhook_cursors c \
    JOIN webhooks w ON w.organization_id = c.organization_id AND w.webhook_id = c.webhook_id \
    JOIN organizations o ON o.organization_id = c.organization_id
    """

  static let end = RecordStatement(
    "FROM change_seals WHERE organization_id = $1 ORDER BY sequence DESC LIMIT 1",
    columns: RecordColumns("sequence"))

  /// A place at the end of the log; one that there is stays where it is.
  static let put = RecordStatement(
    """
    INSERT INTO webhook_cursors (organization_id, webhook_id, position, failures, failing_since, due_at) \
    VALUES ($1, $2, $3, 0, NULL, 0) ON CONFLICT (organization_id, webhook_id) \
    DO UPDATE SET failures = 0, failing_since = NULL, due_at = 0
    """)

  static let move = RecordStatement(
    """
    UPDATE webhook_cursors SET position = $4, failures = $5, failing_since = $6, due_at = $7 \
    WHERE organization_id = $1 AND due_at = $3 AND webhook_id = \
    (SELECT w.webhook_id FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2 AND w.version = $8 AND w.enabled)
    """, returning: RecordColumns("webhook_id"))

  /// Releases a claimed webhook.
  static let free = RecordStatement(
    """
    UPDATE webhook_cursors SET due_at = 0 WHERE organization_id = $1 AND due_at = $3 AND webhook_id = \
    (SELECT w.webhook_id FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2)
    """)

  static let hasten = RecordStatement(
    "UPDATE webhook_cursors SET due_at = $1 WHERE due_at > $2 AND due_at < \(WebhookRest.never)",
    returning: RecordColumns("webhook_id"),
    across: .webhooksAreDelivered)

  static let enabled = RecordStatement(
    """
    FROM webhooks w JOIN organizations o ON o.organization_id = w.organization_id \
    WHERE w.organization_id = $1 AND w.id = $2 AND w.enabled
    """, columns: RecordColumns(Webhook.columns(enabled: "w.enabled")), lock: "FOR NO KEY UPDATE OF w")

  static let keep = RecordStatement(
    """
    INSERT INTO webhook_attempts (organization_id, webhook_id, sequence, time, status, error, milliseconds) \
    SELECT w.organization_id, w.webhook_id, $3, $4, $5, $6, $7 FROM webhooks w \
    WHERE w.organization_id = $1 AND w.id = $2
    """)

  /// The webhooks whose last attempt has failed, by whether they are enabled.
  static let failing = RecordStatement(
    """
    FROM webhook_cursors c JOIN webhooks w ON w.organization_id = c.organization_id AND w.webhook_id = c.webhook_id \
    WHERE c.failures > 0 AND c.organization_id > $1 AND c.organization_id <= $2 GROUP BY w.enabled
    """,
    columns: RecordColumns([("enabled", "w.enabled"), ("count", "count(*)")]), across: .webhooksAreDelivered)

  static let attempts = RecordStatement(
    """
    FROM webhook_attempts a JOIN webhooks w ON w.organization_id = a.organization_id AND w.webhook_id = a.webhook_id \
    WHERE a.organization_id = $1 AND w.organization_id = $1 AND w.id = $4 AND a.webhook_attempt_id < $2 \
    ORDER BY a.webhook_attempt_id DESC LIMIT $3
    """,
    columns: RecordColumns([
      ("webhook_attempt_id", "a.webhook_attempt_id"), ("sequence", "a.sequence"), ("time", "a.time"),
      ("status", "a.status"), ("error", "a.error"), ("milliseconds", "a.milliseconds"),
    ]))

  static let delete = RecordStatement(
    """
    DELETE FROM webhook_attempts WHERE ctid = ANY (ARRAY(\
    SELECT ctid FROM webhook_attempts WHERE time < $1 ORDER BY time LIMIT $2))
    """,
    returning: RecordColumns("webhook_attempt_id"),
    sqlite: """
      DELETE FROM webhook_attempts WHERE webhook_attempt_id IN (\
      SELECT webhook_attempt_id FROM webhook_attempts WHERE time < $1 ORDER BY time LIMIT $2)
      """, across: .webhooksAreDelivered)
}

extension Storage {
  /// Webhooks of all organizations whose time has come, those first that have waited longest.
  ///
  /// - Parameter limit: The most webhooks to look at, at least 1.
  package func dueWebhooks(at now: Instant, limit: Int) async throws -> WebhookLook {
    let limit = PageSize.clamped(limit)
    let found = try await read(
      WebhookRows.due, [.instant(now), .integer(Int64(limit))], in: .everyone(because: .webhooksAreDelivered),
      limit: limit
    ) { row in
      let cursor = WebhookCursor(
        position: row.integer("position"), failures: row.integer("failures"),
        failingSince: row.optionalInstant("failing_since"), dueAt: row.instant("due_at"))
      let organization = OrganizationKey(row.integer("organization_id"))
      let secret = row.blob("secret")
      let isIdle = row.bool("is_idle")
      let due = DueWebhook(
        organization: organization, webhook: try Webhook(&row), secret: secret, cursor: cursor)
      return (due: due, isIdle: isIdle)
    }
    return WebhookLook(
      due: found.filter { !$0.isIdle }.map(\.due),
      idle: Set(found.filter(\.isIdle).map(\.due.organization)), isFull: found.count == limit)
  }

  /// Moves a webhook's cursor, unless another program has moved it meanwhile, or the webhook is gone, disabled or of
  /// another version than `due` has it: then the claim of `due` is free.
  ///
  /// - Parameters:
  ///   - cursor: The cursor to write in place of the one in `due`.
  ///   - attempt: The attempt to keep in the same transaction; nil for none.
  ///   - context: Disables the webhook besides, by this author; nil leaves it.
  /// - Returns: Whether the cursor has been moved; otherwise nothing else has been done.
  package func moveWebhookCursor(
    of due: DueWebhook, to cursor: WebhookCursor, keeping attempt: WebhookAttempt?,
    disabling context: ChangeContext?
  ) async throws -> Bool {
    let organization = due.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let isMoved = try await transaction.exists(
        WebhookRows.move,
        [
          .key(organization), .identifier(due.webhook.id), .instant(due.cursor.dueAt),
          .integer(cursor.position), .integer(cursor.failures), .optional(cursor.failingSince),
          .instant(cursor.dueAt), .integer(due.webhook.version),
        ])
      guard isMoved else {
        // Claimed by this caller, and changed meanwhile: it has its next turn as it is now.
        try await transaction.run(
          WebhookRows.free,
          [.key(organization), .identifier(due.webhook.id), .instant(due.cursor.dueAt)])
        return false
      }
      if let attempt {
        try await transaction.keep(attempt, of: due.webhook.id, in: organization)
      }
      guard let context else { return true }
      let before = try await transaction.first(
        WebhookRows.enabled, [.key(organization), .identifier(due.webhook.id)]
      ) { row in
        let number = row.integer("webhook_id")
        return (webhook: try Webhook(&row), number: number)
      }
      if let before, let disabled = try before.webhook.changed(at: context.time, by: { $0.isEnabled = false })
      {
        try await transaction.write(disabled, over: before.webhook, before.number, in: organization, context)
      }
      return true
    }
  }

  /// Makes webhooks due now whose time lies further ahead than any pause is: a clock that was wrong has written it.
  ///
  /// - Parameter limit: The latest time that a right clock may have written.
  /// - Returns: The number of them.
  package func hastenWebhooks(dueAfter limit: Instant, to now: Instant) async throws -> Int {
    try await write(
      RecordWrite(.everyone(because: .webhooksAreDelivered), isLong: true), recording: nil
    ) { transaction in
      try await transaction.read(WebhookRows.hasten, [.instant(now), .instant(limit)]) { _ in }.count
    }
  }

  /// Counts the webhooks of all organizations that nobody takes messages from: the last attempt has failed. Costs as much as
  /// there are webhooks.
  package func failingWebhookCount() async throws -> FailingWebhookCount {
    var all = FailingWebhookCount(enabled: 0, disabled: 0)
    try await inOrganizationRanges { range in
      let counts = try await read(
        WebhookRows.failing, range.values, in: .everyone(because: .webhooksAreDelivered), limit: 2
      ) { row in (isEnabled: row.bool("enabled"), count: Int(row.integer("count"))) }
      for (isEnabled, count) in counts {
        if isEnabled { all.enabled += count } else { all.disabled += count }
      }
      return true
    }
    return all
  }

  /// Keeps an attempt that moves nothing; nothing if the organization has no such webhook.
  package func keepWebhookAttempt(
    _ attempt: WebhookAttempt, of id: WebhookID, in organization: OrganizationKey
  ) async throws {
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      try await transaction.keep(attempt, of: id, in: organization)
    }
  }

  /// A page of the attempts of a webhook, newest first.
  package func webhookAttempts(
    of id: WebhookID, in organization: OrganizationKey, before cursor: RowCursor?, limit: Int
  ) async throws -> Page<WebhookAttempt, RowCursor> {
    try await page(
      WebhookRows.attempts, of: organization, after: cursor ?? RowCursor(row: .max), limit: limit,
      and: [.identifier(id)]
    ) { row in
      let attempt = WebhookAttempt(
        sequence: row.optionalInteger("sequence"), time: row.instant("time"),
        status: row.optionalInteger("status"), error: row.optionalText("error"),
        milliseconds: row.integer("milliseconds"))
      return (attempt, row.integer("webhook_attempt_id"))
    }
  }

  /// Removes attempts of all organizations that were made before a time.
  ///
  /// - Parameter limit: The most to remove, at least 1.
  /// - Returns: The number of attempts that were removed; less than `limit` when none is left.
  package func deleteWebhookAttempts(before time: Instant, limit: Int) async throws -> Int {
    try await write(
      RecordWrite(.everyone(because: .webhooksAreDelivered), isLong: true), recording: nil
    ) { transaction in
      try await transaction.read(
        WebhookRows.delete, [.instant(time), .integer(Int64(PageSize.clamped(limit)))]
      ) { _ in }.count
    }
  }
}

extension RecordTransaction {
  /// Gives a webhook its place at the end of the log; one that has a place goes on there, at once.
  func putCursor(ofWebhook row: Int64, in organization: OrganizationKey) async throws {
    let end = try await first(WebhookRows.end, [.key(organization)]) { $0.integer("sequence") }
    try await run(WebhookRows.put, [.key(organization), .integer(row), .integer(end ?? 0)])
  }
}

extension RecordTransaction {
  /// Keeps an attempt; nothing if the organization has no such webhook.
  fileprivate func keep(
    _ attempt: WebhookAttempt, of id: WebhookID, in organization: OrganizationKey
  ) async throws {
    try await run(WebhookRows.keep, [.key(organization), .identifier(id)] + attempt.values)
  }
}

extension WebhookAttempt {
  fileprivate var values: [RecordValue] {
    [
      .optional(sequence), .instant(time), .optional(status), .optional(error), .integer(milliseconds),
    ]
  }
}
