import Procedures
import TimeclockDomain

extension StoragePart {
  /// A webhook behind whose place the log has changes, with an attempt.
  static let webhooks = StoragePart(StorageCalls.webhooks) { organization, storage in
    _ = try await storage.createWebhook(
      organization.webhook(organization.names.webhook), secret: secret, in: organization.key, context: .call,
      recording: nil)
    try await storage.keepWebhookAttempt(.call, of: organization.names.webhook, in: organization.key)
  }
}

private let secret = [UInt8](repeating: 7, count: 24)

extension WebhookAttempt {
  fileprivate static let call = WebhookAttempt(
    sequence: nil, time: PreparedOrganization.start, status: nil, error: "Nobody is there", milliseconds: 5)
}

extension PreparedOrganization.Names {
  fileprivate var webhook: WebhookID { id(of: .webhook) }
}

extension PreparedOrganization {
  fileprivate func webhook(_ id: WebhookID = next(), isEnabled: Bool = true) -> Webhook {
    Webhook(
      id: id, organizationID: self.id, url: WebhookURL(stored: "https://hooks.example/\(names.text)"),
      resources: [.timeEntry], isEnabled: isEnabled, version: 1, createdAt: Self.start, updatedAt: Self.start)
  }

  fileprivate func webhookUpdate(version: Int64? = nil) -> WebhookUpdate {
    WebhookUpdate(id: names.webhook, organization: key, expectedVersion: version, context: .call)
  }

  /// The webhook as it is due.
  fileprivate var dueWebhook: DueWebhook {
    DueWebhook(
      organization: key, webhook: webhook(names.webhook), secret: secret,
      cursor: WebhookCursor(
        position: 0, failures: 0, failingSince: nil, dueAt: Instant(millisecondsSince1970: 0)))
  }
}

extension StorageCalls {
  fileprivate static let webhooks: [StorageMethod] = [
    StorageMethod(
      "createWebhook(_:secret:in:context:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.createWebhook(
          organization.webhook(), secret: secret, in: organization.key, context: .call, recording: recording)
      }),
    StorageMethod(
      "webhook(_:in:)", .reads, .organization,
      [StorageCall { try await $1.webhook($0.names.webhook, in: $0.key).map { "\($0)" } }]),
    StorageMethod(
      "webhooks(of:after:limit:)", .reads, .organization,
      [StorageCall { try await $1.webhooks(of: $0.key, after: nil, limit: 9) }]),
    StorageMethod(
      "updateWebhook(_:_:)", .writes, .organization,
      [
        update("by its address") { $0.url = WebhookURL(stored: "https://other.example/") },
        StorageCall("that is enabled again", after: disable) { organization, storage in
          try await storage.updateWebhook(organization.webhookUpdate()) { $0.isEnabled = true }
        },
        update("of another version", version: 9) { _ in },
      ]),
    StorageMethod(
      "deleteWebhook(_:)", .writes, .organization,
      [
        StorageCall { try await $1.deleteWebhook($0.webhookUpdate()) }
      ]),
    StorageMethod(
      "dueWebhooks(at:limit:)", .reads, .service,
      [
        StorageCall { _, storage in
          try await storage.dueWebhooks(at: PreparedOrganization.start, limit: 9).isFull
        }
      ]),
    StorageMethod(
      "restIdleWebhooks(of:at:)", .writes, .organization,
      [
        StorageCall { organization, storage in
          // On SQLite none rests.
          _ = try await storage.restIdleWebhooks(of: organization.key, at: .latest)
          return "done"
        }
      ]),
    StorageMethod(
      "failingWebhookCount()", .reads, .service,
      [StorageCall { _, storage in try await storage.failingWebhookCount() }]),
    StorageMethod(
      "moveWebhookCursor(of:to:keeping:disabling:)", .writes, .organization,
      [
        move("alone", keeping: nil, disabling: nil),
        move("with an attempt", keeping: .call, disabling: nil),
        move("that is given up", keeping: .call, disabling: .call),
        StorageCall("of a webhook that has been disabled", after: disable) { organization, storage in
          try await storage.moveWebhookCursor(
            of: organization.dueWebhook, to: organization.dueWebhook.cursor, keeping: nil, disabling: nil)
        },
      ]),
    StorageMethod(
      "hastenWebhooks(dueAfter:to:)", .writes, .service,
      [StorageCall { try await $1.hastenWebhooks(dueAfter: .latest, to: PreparedOrganization.start) }]),
    StorageMethod(
      "keepWebhookAttempt(_:of:in:)", .writes, .organization,
      [StorageCall { try await $1.keepWebhookAttempt(.call, of: $0.names.webhook, in: $0.key) }]),
    StorageMethod(
      "webhookAttempts(of:in:before:limit:)", .reads, .organization,
      [StorageCall { try await $1.webhookAttempts(of: $0.names.webhook, in: $0.key, before: nil, limit: 9) }]),
    StorageMethod(
      "deleteWebhookAttempts(before:limit:)", .writes, .service,
      [StorageCall { try await $1.deleteWebhookAttempts(before: .earliest, limit: 9) }]),
  ]

  private static func move(
    _ name: String, keeping attempt: WebhookAttempt?, disabling context: ChangeContext?
  ) -> StorageCall {
    StorageCall(name) { organization, storage in
      try await storage.moveWebhookCursor(
        of: organization.dueWebhook,
        to: WebhookCursor(position: 1, failures: 0, failingSince: nil, dueAt: PreparedOrganization.start),
        keeping: attempt, disabling: context)
    }
  }

  private static func disable(_ organization: PreparedOrganization, _ storage: any Storage) async throws {
    _ = try await storage.updateWebhook(organization.webhookUpdate()) { $0.isEnabled = false }
  }

  private static func update(
    _ name: String, version: Int64? = nil, _ change: @escaping @Sendable (inout Webhook) -> Void
  ) -> StorageCall {
    StorageCall(name) { try await $1.updateWebhook($0.webhookUpdate(version: version), change) }
  }
}
