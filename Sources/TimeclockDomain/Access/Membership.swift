/// What an organisation lets one person do, and the settings that go with it.
package struct Membership: Hashable, Sendable {
  package var key: MemberKey
  package var organizationID: OrganizationID
  package var userID: UserID
  package var role: Role
  package var isActive: Bool
  /// The member's own zone; nil means the organisation's.
  package var memberTimeZone: TimeZoneIdentifier?
  package var organizationTimeZone: TimeZoneIdentifier
  package var policy: Policy
  /// Who acts, and through what. That of a member who is only spoken of is of no account.
  package var author = Author.service

  package init(
    key: MemberKey, organizationID: OrganizationID, userID: UserID, role: Role, isActive: Bool,
    memberTimeZone: TimeZoneIdentifier?, organizationTimeZone: TimeZoneIdentifier, policy: Policy
  ) {
    self.key = key
    self.organizationID = organizationID
    self.userID = userID
    self.role = role
    self.isActive = isActive
    self.memberTimeZone = memberTimeZone
    self.organizationTimeZone = organizationTimeZone
    self.policy = policy
  }

  /// The zone in which this member's dates are computed when a request names none.
  package var timeZone: TimeZoneIdentifier { memberTimeZone ?? organizationTimeZone }

  /// What a write of the caller's leaves in the log of changes.
  package func change(_ operation: String, at time: Instant, reason: Reason? = nil) -> ChangeContext {
    ChangeContext(author: author, operation: operation, time: time, reason: reason)
  }

  /// Refuses everyone below `role`.
  ///
  /// - Throws: `TimeclockError.forbidden`.
  package func require(_ role: Role) throws {
    guard self.role >= role else { throw TimeclockError.forbidden }
  }

  /// Refuses acting for, or looking at, someone else to everyone below manager.
  ///
  /// - Throws: `TimeclockError.forbidden`.
  package func requireAccess(to userID: UserID) throws {
    guard userID == self.userID || role >= .manager else { throw TimeclockError.forbidden }
  }
}
