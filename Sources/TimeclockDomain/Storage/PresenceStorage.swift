/// The storage's readings of the members who are clocked in.
package protocol PresenceStorage: Sendable {
  /// A page of the members who are clocked in, those who have been for longest first, and those of one instant by the
  /// id of their entry. Costs as much as the page shows, however many entries there are.
  func presence(_ query: PresenceQuery) async throws -> Page<PresentMember, PresenceCursor>
}

/// The members that a list of clocked-in members shows.
package struct PresenceQuery: Sendable {
  package var organization: OrganizationKey
  /// Only active entries that began at or after this instant; nil leaves the condition out.
  package var beginningFrom: Instant?
  /// Only active entries that began before this instant; nil leaves the condition out.
  package var beginningBefore: Instant?
  /// Closed entries are wanted that ended after this instant.
  package var workedSince: Instant
  package var cursor: PresenceCursor?
  /// The most members to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, beginningFrom: Instant? = nil, beginningBefore: Instant? = nil,
    workedSince: Instant, cursor: PresenceCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.beginningFrom = beginningFrom
    self.beginningBefore = beginningBefore
    self.workedSince = workedSince
    self.cursor = cursor
    self.limit = limit
  }
}

/// A member who is clocked in.
package struct PresentMember: Hashable, Sendable {
  package var userID: UserID
  package var name: String
  /// The member's own zone; nil means the organization's.
  package var timeZone: TimeZoneIdentifier?
  /// The active entry.
  package var timeEntryID: TimeEntryID
  package var clockInTime: Instant
  package var sessionID: SessionID?
  /// The closed entries that ended after `PresenceQuery.workedSince`, in no order.
  package var worked: [WorkedSpan]

  package init(
    userID: UserID, name: String, timeZone: TimeZoneIdentifier?, timeEntryID: TimeEntryID,
    clockInTime: Instant, sessionID: SessionID?, worked: [WorkedSpan]
  ) {
    self.userID = userID
    self.name = name
    self.timeZone = timeZone
    self.timeEntryID = timeEntryID
    self.clockInTime = clockInTime
    self.sessionID = sessionID
    self.worked = worked
  }
}

/// The times of a closed entry: `[start, end)`.
package struct WorkedSpan: Hashable, Sendable {
  package var start: Instant
  package var end: Instant

  package init(start: Instant, end: Instant) {
    self.start = start
    self.end = end
  }
}

/// A place in a list of clocked-in members: the last active entry before it.
package struct PresenceCursor: Hashable, Sendable {
  package var clockInTime: Instant
  package var timeEntryID: TimeEntryID

  package init(clockInTime: Instant, timeEntryID: TimeEntryID) {
    self.clockInTime = clockInTime
    self.timeEntryID = timeEntryID
  }

  /// Before every entry.
  package static let beginning = PresenceCursor(
    clockInTime: Instant(millisecondsSince1970: .min), timeEntryID: TimeEntryID(high: 0, low: 0))
}

extension PresentMember {
  /// The member's place in the list.
  package var cursor: PresenceCursor {
    PresenceCursor(clockInTime: clockInTime, timeEntryID: timeEntryID)
  }
}
