/// The webhooks of organizations, with the places that they have reached in the log of changes.
package protocol WebhookStorage: Sendable {
  /// Keeps a new webhook, to which the changes from now on are sent.
  ///
  /// - Throws: `.tooManyWebhooks` where the organization has as many as it may, however many are made at once.
  func createWebhook(
    _ webhook: Webhook, secret: [UInt8], in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Webhook>?
  ) async throws -> Webhook

  /// One webhook, with its secret; nil where the organization has none with this id.
  func webhook(
    _ id: WebhookID, in organization: OrganizationKey
  ) async throws -> (webhook: Webhook, secret: [UInt8])?

  /// A page of webhooks, in the order in which they were made.
  func webhooks(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Webhook, RowCursor>

  /// Changes a webhook: reads it, lets `change` change it, raises the version and writes it back, all in one
  /// transaction. One that is enabled again goes on where it was, at once.
  ///
  /// - Throws: `.notFound(.webhook)`; `.changed` when the version is another; any error of `change`. Then nothing is
  ///   changed.
  func updateWebhook(
    _ update: WebhookUpdate, _ change: @escaping @Sendable (inout Webhook) throws -> Void
  ) async throws -> Webhook

  /// Deletes a webhook with its place and its attempts.
  ///
  /// - Throws: `.notFound(.webhook)`; `.changed` when the version is another.
  func deleteWebhook(_ deletion: WebhookUpdate) async throws

  /// Enabled webhooks of all active organizations whose time has come and behind whose place the log has changes.
  ///
  /// - Parameter limit: The most webhooks to return, at least 1.
  func dueWebhooks(at now: Instant, limit: Int) async throws -> [DueWebhook]

  /// Moves a webhook's cursor, unless another program has moved it meanwhile, or the webhook is gone, disabled or of another
  /// version than `due` has it: then what `due` has claimed is free.
  ///
  /// - Parameters:
  ///   - cursor: The cursor to write in place of the one in `due`.
  ///   - attempt: The attempt to keep in the same transaction; nil for none.
  ///   - context: Disables the webhook besides, by this author; nil leaves it.
  /// - Returns: Whether the cursor has been moved; otherwise nothing else has been done.
  func moveWebhookCursor(
    of due: DueWebhook, to cursor: WebhookCursor, keeping attempt: WebhookAttempt?,
    disabling context: ChangeContext?
  ) async throws -> Bool

  /// Makes webhooks due now whose time lies further ahead than any pause is: a clock that was wrong has written it.
  ///
  /// - Parameter limit: The latest time that a right clock may have written.
  /// - Returns: The number of them.
  func hastenWebhooks(dueAfter limit: Instant, to now: Instant) async throws -> Int

  /// Counts the webhooks of all organizations that nobody takes messages from: the last attempt has failed. Costs as much as
  /// there are webhooks.
  func failingWebhookCount() async throws -> FailingWebhookCount

  /// Keeps an attempt that moves nothing; nothing where the organization has no such webhook.
  func keepWebhookAttempt(
    _ attempt: WebhookAttempt, of id: WebhookID, in organization: OrganizationKey
  ) async throws

  /// A page of the attempts of a webhook, newest first.
  func webhookAttempts(
    of id: WebhookID, in organization: OrganizationKey, before cursor: RowCursor?, limit: Int
  ) async throws -> Page<WebhookAttempt, RowCursor>

  /// Removes attempts of all organizations that were made before a time.
  ///
  /// - Parameter limit: The most to remove, at least 1.
  /// - Returns: The number of attempts that were removed; less than `limit` when none is left.
  func deleteWebhookAttempts(before time: Instant, limit: Int) async throws -> Int
}

/// The webhook to change or to delete, and the author of the change.
package typealias WebhookUpdate = ResourceUpdate<Webhook>
