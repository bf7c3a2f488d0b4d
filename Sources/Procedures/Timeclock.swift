import TimeclockDomain

/// The service without a protocol around it: its actions, their permitted callers, and the rules.
///
/// Every way in (an operation of the API, a command, an import) goes through these functions.
package final class Timeclock: Sendable {
  package let storage: any Storage
  package let clock: WallClock
  package let zones: TimeZoneDatabase
  package let identifiers: IdentifierGenerator
  package let ownedLimits: OwnedLimits
  package let isReadOnly: Bool
  let punchTurns = Turns<MemberKey>()

  /// - Parameter isReadOnly: Whether the storage refuses everything that writes.
  package init(
    storage: any Storage, clock: WallClock = .system, zones: TimeZoneDatabase = TimeZoneDatabase(),
    identifiers: IdentifierGenerator = IdentifierGenerator(), ownedLimits: OwnedLimits = OwnedLimits(),
    isReadOnly: Bool = false
  ) {
    self.storage = storage
    self.isReadOnly = isReadOnly
    self.clock = clock
    self.zones = zones
    self.identifiers = identifiers
    self.ownedLimits = ownedLimits
  }

  /// A watch over the clock, for the service's own jobs; to be made before the service writes anything.
  ///
  /// - Parameter elapsed: The time since some moment, by a clock that nobody sets.
  package func clockWatch(elapsed: @escaping @Sendable () -> Duration) async -> ClockWatch {
    let newest: Instant?
    do {
      newest = try await storage.newestChange(
        orAnySince: clock.now.adding(milliseconds: -ClockWatch.quietTime))
    } catch {
      newest = .earliest
    }
    return ClockWatch(clock, newest: newest, elapsed: elapsed)
  }

  /// The zone with this name, which a client stated.
  ///
  /// - Throws: `TimeclockError.unknownTimeZone` if the system has none.
  package func zone(named name: String) throws -> Zone {
    guard let identifier = TimeZoneIdentifier(name), let zone = zones.zone(identifier) else {
      throw TimeclockError.unknownTimeZone
    }
    return zone
  }

  /// The zone of something that is stored, and that the system had when it was.
  ///
  /// - Throws: `MissingTimeZone` if the system has it no longer.
  func zone(stored identifier: TimeZoneIdentifier) throws -> Zone {
    guard let zone = zones.zone(identifier) else { throw MissingTimeZone(name: identifier.name) }
    return zone
  }

  /// The date that the caller's calendar shows now.
  ///
  /// - Throws: `MissingTimeZone`.
  func today(for caller: Membership) throws -> LocalDate {
    try zone(stored: caller.timeZone).localDate(at: clock.now)
  }

  /// The membership of the person an action is for: the caller's own, or another member's.
  ///
  /// - Throws: `TimeclockError.notFound(.member)` before `.forbidden`, so that an id of another organization
  ///   answers as one that never was.
  func subject(_ userID: UserID?, for caller: Membership) async throws -> Membership {
    guard let userID, userID != caller.userID else { return caller }
    let member = try await storage.membership(of: userID, in: caller.key.organization)
    return try subject(userID, among: member.map { [userID: $0] } ?? [:], for: caller)
  }

  /// The members that a list or a report is about: the one that is stated, those of a group, or, if neither is stated, the
  /// caller for a member, and for a manager everyone that they see.
  ///
  /// - Throws: `.notFound(.member)` for nobody's id, also for somebody who is no member of the group that is stated too;
  ///   `.notFound(.group)`; `.forbidden`.
  func members(_ wanted: WantedMembers, for caller: Membership) async throws -> MemberSelection {
    try await subjectOrMembers(wanted, for: caller).members
  }

  /// The same, and the membership if there is one member.
  func subjectOrMembers(
    _ wanted: WantedMembers, for caller: Membership
  ) async throws -> (subject: Membership?, members: MemberSelection) {
    let subject: Membership? =
      if wanted.userID == nil, wanted.groupID != nil || caller.role >= .manager {
        nil
      } else {
        try await self.subject(wanted.userID, for: caller)
      }
    let group = try await group(wanted.groupID, with: subject.map { [$0.key.user] } ?? [], for: caller)
    return (
      subject, subject.map { .member($0.key.user) } ?? group.map(MemberSelection.group) ?? caller.seen
    )
  }

  /// The group that a list or a report is about; nil if none is stated.
  ///
  /// - Parameter users: Members who are stated too.
  /// - Throws: `.notFound(.group)` before `.forbidden` to members, as `subject` does; `.notFound(.member)` if one of them is
  ///   no member of the group.
  func group(
    _ id: GroupID?, with users: [UserKey] = [], for caller: Membership
  ) async throws -> GroupKey? {
    guard let id else { return nil }
    let organization = caller.key.organization
    guard let group = try await storage.groupKey(of: id, in: organization) else {
      throw TimeclockError.notFound(.group)
    }
    try caller.require(.manager)
    guard try await manages(group, caller) else { throw TimeclockError.notFound(.group) }
    for user in users {
      guard try await storage.has(user, as: .member, group, in: organization) else {
        throw TimeclockError.notFound(.member)
      }
    }
    return group
  }

  /// Whether a caller who sees own groups alone manages the group; others see every one.
  private func manages(_ group: GroupKey, _ caller: Membership) async throws -> Bool {
    guard caller.seesOwnGroups else { return true }
    return try await storage.has(caller.key.user, as: .manager, group, in: caller.key.organization)
  }

  /// The same as `subject`, if the members in question have been looked up.
  func subject(
    _ userID: UserID?, among members: [UserID: Membership], for caller: Membership
  ) throws -> Membership {
    guard let userID, userID != caller.userID else { return caller }
    guard let member = members[userID] else { throw TimeclockError.notFound(.member) }
    try caller.requireAccess(to: userID)
    return member
  }
}
