/// The public id of an API token; not the token itself.
package typealias ApiTokenID = Identifier<ApiToken>

/// A token that an administrator made for a program; it is valid in one organization. Never the secret itself.
package struct ApiToken: Hashable, Sendable {
  package var id: ApiTokenID
  package var name: String
  /// The member in whose name the token acts.
  package var userID: UserID
  package var scope: ApiTokenScope
  package var createdAt: Instant
  package var expiresAt: Instant
  /// The time of the token's last use, to within `TokenUse.resolution`; nil when it was never used.
  package var lastUsedAt: Instant?

  package init(
    id: ApiTokenID, name: String, userID: UserID, scope: ApiTokenScope, createdAt: Instant,
    expiresAt: Instant, lastUsedAt: Instant?
  ) {
    self.id = id
    self.name = name
    self.userID = userID
    self.scope = scope
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.lastUsedAt = lastUsedAt
  }
}

/// The part of its member's rights that an API token has.
package enum ApiTokenScope: String, CaseIterable, Sendable {
  /// All of them.
  case full
  /// Those that read: nothing changes by it.
  case read
}

extension TimeclockError {
  /// An API token that only reads was used for a write.
  package static let readOnlyToken = TimeclockError.plain(
    PlainRefusal(
      "read_only_token", against: .permission,
      "This API token may only read. Use one that was made with the scope full."))
}
