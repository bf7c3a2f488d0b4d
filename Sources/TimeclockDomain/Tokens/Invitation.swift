/// The public id of an invitation; not its token.
package typealias InvitationID = Identifier<Invitation>

/// A link by which a member chooses a password and opens the organization to their log-ins. Never the token itself.
package struct Invitation: Hashable, Sendable {
  package var id: InvitationID
  /// The member who is invited.
  package var userID: UserID
  package var createdAt: Instant
  package var expiresAt: Instant

  package init(id: InvitationID, userID: UserID, createdAt: Instant, expiresAt: Instant) {
    self.id = id
    self.userID = userID
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}

extension Invitation {
  /// The life of an invitation when nobody states another, in milliseconds: 7 days.
  package static let lifetime: Int64 = 7 * 86_400_000
  /// The longest life that may be stated, in milliseconds: 30 days.
  package static let longestLifetime: Int64 = 30 * 86_400_000
}

extension TimeclockError {
  /// An invitation is to end in the past, or too late.
  package static let invalidInvitationExpiry = TimeclockError.plain(
    PlainRefusal(
      "invalid_expiry", against: .rule, "expiresAt must be in the future, and at most 30 days ahead"))
}

/// The account behind an invitation.
package struct InvitedAccount: Sendable {
  package var key: UserKey
  package var user: User
  package var passwordHash: PasswordHash?
  /// The name of the organization that invites.
  package var organizationName: String
  /// Whether log-ins open another organization too, so that only somebody with the present password may accept.
  package var isShared: Bool

  package init(
    key: UserKey, user: User, passwordHash: PasswordHash?, organizationName: String, isShared: Bool
  ) {
    self.key = key
    self.user = user
    self.passwordHash = passwordHash
    self.organizationName = organizationName
    self.isShared = isShared
  }
}
