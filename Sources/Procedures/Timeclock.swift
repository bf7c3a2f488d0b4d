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
  let punchTurns = Turns<MemberKey>()

  package init(
    storage: any Storage, clock: WallClock = .system, zones: TimeZoneDatabase = TimeZoneDatabase(),
    identifiers: IdentifierGenerator = IdentifierGenerator(), ownedLimits: OwnedLimits = OwnedLimits()
  ) {
    self.storage = storage
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
      newest = try await storage.newestChange()
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

  /// The member that a list or a report is about, nil for everyone: if none is stated, the caller for a member, and
  /// everyone for a manager.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`.
  func subjectOrEveryone(_ userID: UserID?, for caller: Membership) async throws -> Membership? {
    if userID == nil, caller.role >= .manager { return nil }
    return try await subject(userID, for: caller)
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
