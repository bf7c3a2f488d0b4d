import TimeclockDomain

/// A webhook as the table keeps one.
package struct StoredWebhook: Sendable {
  var webhook: Webhook
  /// No change changes it, so it is empty if a webhook is written back.
  var secret: [UInt8]

  package static let table = RecordTable<StoredWebhook>(
    "webhooks", key: .numbered("webhook_id"), number: "webhook_id",
    fields: [
      .fixed("id", .identifier) { .identifier($0.webhook.id) },
      .field("url", .text) { .text($0.webhook.url.text) },
      .field("resources", .text) { .optional($0.webhook.storedResources) },
      .field("enabled", .bool) { .bool($0.webhook.isEnabled) },
      .fixed("secret", .bytes) { .bytes($0.secret) },
      .field("version", .integer) { .integer($0.webhook.version) },
      .fixed("created_at", .integer) { .instant($0.webhook.createdAt) },
      .field("updated_at", .integer) { .instant($0.webhook.updatedAt) },
    ])
}

extension Webhook: VersionedRecord {
  /// One without a place in the log, as copies are, sends nothing.
  private static let isEnabled = "(w.enabled AND c.webhook_id IS NOT NULL)"

  static func columns(enabled: String) -> [(name: String, expression: String)] {
    [
      ("webhook_id", "w.webhook_id"), ("organization", "o.id"), ("id", "w.id"), ("url", "w.url"),
      ("resources", "w.resources"), ("enabled", enabled), ("version", "w.version"),
      ("created_at", "w.created_at"), ("updated_at", "w.updated_at"),
    ]
  }

  private static let tables = """
    FROM webhooks w JOIN organizations o ON o.organization_id = w.organization_id \
    LEFT JOIN webhook_cursors c ON c.organization_id = w.organization_id AND c.webhook_id = w.webhook_id
    """
  private static let row = "\(tables) WHERE w.organization_id = $1 AND w.id = $2"
  private static let rows = """
    \(tables) WHERE w.organization_id = $1 AND w.webhook_id > $2 ORDER BY w.webhook_id LIMIT $3
    """

  fileprivate static let one = RecordStatement(
    row, columns: RecordColumns(columns(enabled: isEnabled) + [("secret", "w.secret")]))
  fileprivate static let locked = RecordStatement(
    row, columns: RecordColumns(columns(enabled: isEnabled)), lock: "FOR NO KEY UPDATE OF w")
  fileprivate static let count = RecordStatement(
    "FROM webhooks WHERE organization_id = $1", columns: RecordColumns([("count", "count(*)")]))
  fileprivate static let page = RecordStatement(rows, columns: RecordColumns(columns(enabled: isEnabled)))
  /// The webhooks as the log of changes knows them, which a copy has enabled as they were.
  package static let logged = RecordStatement(rows, columns: RecordColumns(columns(enabled: "w.enabled")))

  /// The webhook in a row.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), organizationID: try row.identifier("organization"),
      url: WebhookURL(stored: row.text("url")),
      resources: Webhook.resources(stored: row.optionalText("resources")), isEnabled: row.bool("enabled"),
      version: row.integer("version"), createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }
}

extension Storage {
  /// Keeps a new webhook, to which the changes from now on are sent.
  ///
  /// - Throws: `.tooManyWebhooks` if the organization has as many as it may, however many are made at once.
  package func createWebhook(
    _ webhook: Webhook, secret: [UInt8], in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Webhook>?
  ) async throws -> Webhook {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      // Nobody else counts meanwhile.
      try await transaction.lock(Organization.lock, [.key(organization)])
      let count = try await transaction.first(Webhook.count, [.key(organization)]) { $0.integer("count") }
      guard count ?? 0 < Webhook.maximumCount else { throw TimeclockError.tooManyWebhooks }
      let row = try await transaction.insert(
        StoredWebhook(webhook: webhook, secret: secret), into: StoredWebhook.table, of: organization)
      if webhook.isEnabled, let row { try await transaction.putCursor(ofWebhook: row, in: organization) }
      try await transaction.log(from: nil, to: .webhook(webhook), in: organization, context)
      return webhook
    }
  }

  /// One webhook, with its secret; nil if the organization has none with this id.
  package func webhook(
    _ id: WebhookID, in organization: OrganizationKey
  ) async throws -> (webhook: Webhook, secret: [UInt8])? {
    try await first(
      Webhook.one, [.key(organization), .identifier(id)], in: .organization(organization)
    ) { row in
      let secret = row.blob("secret")
      return (try Webhook(&row), secret)
    }
  }

  /// A page of webhooks, in the order in which they were made.
  package func webhooks(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Webhook, RowCursor> {
    try await page(Webhook.page, of: organization, after: cursor, limit: limit) { row in
      let number = row.integer("webhook_id")
      return (try Webhook(&row), number)
    }
  }

  /// Changes a webhook: reads it, lets `change` change it, raises the version and writes it back, all in one
  /// transaction. One that is enabled again goes on where it was, at once.
  ///
  /// - Throws: `.notFound(.webhook)`; `.changed` when the version is another; any error of `change`. Then nothing is
  ///   changed.
  package func updateWebhook(
    _ update: WebhookUpdate, _ change: @escaping @Sendable (inout Webhook) throws -> Void
  ) async throws -> Webhook {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let (before, number) = try await transaction.requireWebhook(update)
      guard let changed = try before.changed(at: update.context.time, by: change) else { return before }
      if changed.isEnabled, !before.isEnabled {
        try await transaction.putCursor(ofWebhook: number, in: organization)
      }
      try await transaction.write(changed, over: before, number, in: organization, update.context)
      return changed
    }
  }

  /// Deletes a webhook with its place and its attempts.
  ///
  /// - Throws: `.notFound(.webhook)`; `.changed` when the version is another.
  package func deleteWebhook(_ deletion: WebhookUpdate) async throws {
    let organization = deletion.organization
    try await write(RecordWrite(.organization(organization), isLong: true), recording: nil) { transaction in
      let (before, number) = try await transaction.requireWebhook(deletion)
      try await transaction.delete(from: StoredWebhook.table, of: organization, key: number)
      try await transaction.log(from: .webhook(before), to: nil, in: organization, deletion.context)
    }
  }
}

extension RecordTransaction {
  /// The webhook that is to be changed, and its number.
  ///
  /// - Throws: `.notFound(.webhook)`, `.changed`.
  fileprivate func requireWebhook(_ update: WebhookUpdate) async throws -> (webhook: Webhook, number: Int64) {
    let found = try await first(
      Webhook.locked, [.key(update.organization), .identifier(update.id)]
    ) { row in
      let number = row.integer("webhook_id")
      return (webhook: try Webhook(&row), number: number)
    }
    guard let found else { throw TimeclockError.notFound(.webhook) }
    try found.webhook.requireVersion(update.expectedVersion)
    return found
  }

  /// Writes a webhook over another, and writes that down.
  func write(
    _ webhook: Webhook, over before: Webhook, _ number: Int64, in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws {
    try await update(
      StoredWebhook(webhook: webhook, secret: []), in: StoredWebhook.table, of: organization, key: number)
    try await log(from: .webhook(before), to: .webhook(webhook), in: organization, context)
  }
}
