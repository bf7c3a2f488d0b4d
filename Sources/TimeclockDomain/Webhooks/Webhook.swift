/// The public id of a webhook.
package typealias WebhookID = Identifier<Webhook>

/// The address of a program to which an organization's changes are sent, in their order. Never its secret.
package struct Webhook: Hashable, Sendable {
  package var id: WebhookID
  package var organizationID: OrganizationID
  package var url: WebhookURL
  /// The kinds of resources whose changes are sent; nil means all, also those that a later version adds.
  package var resources: Set<Snapshot.Kind>?
  package var isEnabled: Bool
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: WebhookID, organizationID: OrganizationID, url: WebhookURL, resources: Set<Snapshot.Kind>?,
    isEnabled: Bool, version: Int64, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.organizationID = organizationID
    self.url = url
    self.resources = resources
    self.isEnabled = isEnabled
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Webhook {
  /// The most webhooks that an organization has.
  package static let maximumCount = 20
  /// The lengths of a secret, in bytes, as Standard Webhooks gives them.
  package static let secretLengths = 24...64

  /// Restores fields that no change may change.
  package mutating func restoreFixed(from before: Webhook) {
    id = before.id
    organizationID = before.organizationID
    version = before.version
    createdAt = before.createdAt
    updatedAt = before.updatedAt
  }

  /// The kinds as text, between commas in the order of their declaration; nil means all.
  package var storedResources: String? { resources.map(Self.text) }

  /// Kinds as text, between commas in the order of their declaration.
  package static func text(_ kinds: Set<Snapshot.Kind>) -> String {
    Snapshot.Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: ",")
  }

  /// Kinds in the form of `storedResources`.
  package static func resources(stored text: String?) -> Set<Snapshot.Kind>? {
    text.map { Set($0.split(separator: ",").compactMap { Snapshot.Kind(rawValue: String($0)) }) }
  }
}

extension Webhook: Versioned {
  package var current: CurrentResource { CurrentResource(.webhook(self), version: version) }
}

extension TimeclockError {
  package static let invalidSecret = TimeclockError.plain(
    PlainRefusal(
      "invalid_secret", against: .rule,
      "A secret is whsec_ and the base64 of 24 to 64 bytes. Leave it out to have one generated."))

  package static let tooManyWebhooks = TimeclockError.plain(
    PlainRefusal(
      "too_many_webhooks", against: .state,
      "An organization has at most \(Webhook.maximumCount) webhooks. Delete one first."))
}

/// The webhook to change or to delete, and the author of the change.
package typealias WebhookUpdate = ResourceUpdate<Webhook>
