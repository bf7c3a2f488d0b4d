/// The rights of one person in an organization, and the settings that go with them.
package struct Membership: Hashable, Sendable {
  private struct Terms: Hashable, Sendable {
    let key: MemberKey
    let organizationID: OrganizationID
    let userID: UserID
    let role: Role
    let isActive: Bool
    let memberTimeZone: TimeZoneIdentifier?
    let organizationTimeZone: TimeZoneIdentifier
    let policy: Policy
  }

  /// Behind a pointer, because a request hands its membership from function to function some thirty times.
  private let terms: Shared<Terms>
  /// The author of an action. Ignored when the membership is only the subject of an action.
  package var author = Author.service
  /// The source of the entries that a caller makes for themselves. Ignored as the author is.
  package var source = TimeEntrySource.api
  /// The members that a manager sees. Ignored as the author is.
  package var sight = Sight.everyone

  package init(
    key: MemberKey, organizationID: OrganizationID, userID: UserID, role: Role, isActive: Bool,
    memberTimeZone: TimeZoneIdentifier?, organizationTimeZone: TimeZoneIdentifier, policy: Policy
  ) {
    terms = Shared(
      Terms(
        key: key, organizationID: organizationID, userID: userID, role: role, isActive: isActive,
        memberTimeZone: memberTimeZone, organizationTimeZone: organizationTimeZone, policy: policy))
  }

  package var key: MemberKey { terms.value.key }
  package var organizationID: OrganizationID { terms.value.organizationID }
  package var userID: UserID { terms.value.userID }
  package var role: Role { terms.value.role }
  package var isActive: Bool { terms.value.isActive }
  /// The member's own zone; nil means the organization's.
  package var memberTimeZone: TimeZoneIdentifier? { terms.value.memberTimeZone }
  package var organizationTimeZone: TimeZoneIdentifier { terms.value.organizationTimeZone }
  package var policy: Policy { terms.value.policy }

  /// The zone in which this member's dates are computed when a request names none.
  package var timeZone: TimeZoneIdentifier { memberTimeZone ?? organizationTimeZone }

  /// The context of the caller's write in the log of changes.
  package func change(_ operation: String, at time: Instant, reason: Reason? = nil) -> ChangeContext {
    ChangeContext(
      author: author, operation: operation, time: time, reason: reason,
      boundBy: role < .manager ? .submitted : .approved)
  }

  /// Refuses everyone below `role`.
  ///
  /// - Throws: `TimeclockError.forbidden`.
  package func require(_ role: Role) throws {
    guard self.role >= role else { throw TimeclockError.forbidden }
  }

  /// Refuses acting for, or looking at, someone else to everyone below manager, and to managers who do not see them.
  ///
  /// - Parameter kind: The kind of the record, which is not found for a manager who does not see its member.
  /// - Throws: `TimeclockError.forbidden`, `.notFound`.
  package func requireAccess(to userID: UserID, or kind: Snapshot.Kind = .member) throws {
    guard userID != self.userID else { return }
    try require(.manager)
    guard sight.contains(userID) else { throw TimeclockError.notFound(kind) }
  }
}

/// A value that its copies share.
private final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  static func == (one: Shared, other: Shared) -> Bool { one === other || one.value == other.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
