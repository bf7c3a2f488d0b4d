import TimeclockDomain

/// The storage of users and their memberships.
package protocol MemberStorage: Sendable {
  /// The memberships of several people, active or not; people who are no members are left out.
  func memberships(
    of userIDs: Set<UserID>, in organization: OrganizationKey
  ) async throws -> [UserID: Membership]
}
