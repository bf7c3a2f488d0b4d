import TimeclockDomain

/// Changes of a webhook by an admin; nil leaves a value as it is.
package struct WebhookChanges: Sendable {
  package var url: String?
  /// The inner nil means all kinds.
  package var resources: Set<Snapshot.Kind>??
  package var isEnabled: Bool?

  package init(url: String? = nil, resources: Set<Snapshot.Kind>?? = nil, isEnabled: Bool? = nil) {
    self.url = url
    self.resources = resources
    self.isEnabled = isEnabled
  }
}

extension Timeclock {
  /// Makes a webhook, to which the changes from now on are sent.
  ///
  /// - Parameters:
  ///   - resources: The kinds whose changes are sent; nil means all.
  ///   - secret: The key of the signatures.
  ///   - sender: Knows which addresses no message may go to.
  /// - Throws: `.forbidden`, `.invalidURL`, `.addressNotAllowed`, `.invalidSecret`, `.tooManyWebhooks`.
  package func createWebhook(
    url: String, resources: Set<Snapshot.Kind>?, secret: [UInt8], sentBy sender: any WebhookSending,
    by caller: Membership,
    recording: AnswerRecording<Webhook>? = nil
  ) async throws -> Webhook {
    try caller.require(.admin)
    guard Webhook.secretLengths.contains(secret.count) else { throw TimeclockError.invalidSecret }
    let now = clock.now
    let url = try WebhookURL(url)
    try sender.requireAllowed(url)
    let webhook = Webhook(
      id: identifiers.next(at: now), organizationID: caller.organizationID, url: url,
      resources: resources, isEnabled: true, version: 1, createdAt: now, updatedAt: now)
    return try await storage.createWebhook(
      webhook, secret: secret, in: caller.key.organization, context: caller.change("createWebhook", at: now),
      recording: recording)
  }

  /// One webhook.
  ///
  /// - Throws: `.forbidden`, `.notFound(.webhook)`.
  package func webhook(_ id: WebhookID, for caller: Membership) async throws -> Webhook {
    try await storedWebhook(id, for: caller).webhook
  }

  /// A page of webhooks, in the order in which they were made.
  ///
  /// - Throws: `.forbidden`.
  package func webhooks(
    after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Webhook, RowCursor> {
    try caller.require(.admin)
    return try await storage.webhooks(of: caller.key.organization, after: cursor, limit: limit)
  }

  /// Changes a webhook. One that is enabled again goes on where it was.
  ///
  /// - Parameter sender: Knows which addresses no message may go to; the one that the webhook has may stay.
  /// - Throws: `.forbidden`, `.invalidURL`, `.addressNotAllowed`, the errors of `WebhookStorage.updateWebhook`.
  package func updateWebhook(
    _ id: WebhookID, _ changes: WebhookChanges, expectedVersion: Int64?, sentBy sender: any WebhookSending,
    by caller: Membership
  ) async throws -> Webhook {
    try caller.require(.admin)
    let url = try changes.url.map { try WebhookURL($0) }
    return try await storage.updateWebhook(
      WebhookUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        context: caller.change("updateWebhook", at: clock.now))
    ) { webhook in
      if let url, url != webhook.url { try sender.requireAllowed(url) }
      webhook.url = url ?? webhook.url
      if let resources = changes.resources { webhook.resources = resources }
      webhook.isEnabled = changes.isEnabled ?? webhook.isEnabled
    }
  }

  /// Deletes a webhook.
  ///
  /// - Throws: `.forbidden`, the errors of `WebhookStorage.deleteWebhook`.
  package func deleteWebhook(
    _ id: WebhookID, expectedVersion: Int64?, by caller: Membership
  ) async throws {
    try caller.require(.admin)
    try await storage.deleteWebhook(
      WebhookUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        context: caller.change("deleteWebhook", at: clock.now)))
  }

  /// A page of the attempts of a webhook, newest first.
  ///
  /// - Throws: `.forbidden`, `.notFound(.webhook)`.
  package func webhookAttempts(
    of id: WebhookID, before cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<WebhookAttempt, RowCursor> {
    _ = try await storedWebhook(id, for: caller)
    return try await storage.webhookAttempts(
      of: id, in: caller.key.organization, before: cursor, limit: limit)
  }

  /// Sends a message about no change, whether the webhook is enabled or not, and keeps the attempt.
  ///
  /// - Parameter body: Writes the message.
  /// - Throws: `.forbidden`, `.notFound(.webhook)`; any error of the sender.
  package func pingWebhook(
    _ id: WebhookID, via sender: any WebhookSending, by caller: Membership,
    body: (Webhook, Instant) -> [UInt8]
  ) async throws -> WebhookAttempt {
    let (webhook, secret) = try await storedWebhook(id, for: caller)
    let now = clock.now
    let ping: Identifier<WebhookAttempt> = identifiers.next(at: now)
    let outcome = try await sender.send(
      WebhookMessage(
        id: "\(webhook.organizationID).ping.\(ping)", url: webhook.url, secret: secret,
        time: now, body: body(webhook, now)))
    let attempt = outcome.attempt(of: nil, at: now)
    try await storage.keepWebhookAttempt(attempt, of: id, in: caller.key.organization)
    return attempt
  }

  private func storedWebhook(
    _ id: WebhookID, for caller: Membership
  ) async throws -> (webhook: Webhook, secret: [UInt8]) {
    try caller.require(.admin)
    guard let found = try await storage.webhook(id, in: caller.key.organization) else {
      throw TimeclockError.notFound(.webhook)
    }
    return found
  }
}
