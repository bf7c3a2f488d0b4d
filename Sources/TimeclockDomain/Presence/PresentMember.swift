/// The members that a list of clocked-in members shows.
package struct PresenceQuery: Sendable {
  package var organization: OrganizationKey
  package var members: MemberSelection
  /// Only active entries that began at or after this instant; nil leaves the condition out.
  package var beginningFrom: Instant?
  /// Only active entries that began before this instant; nil leaves the condition out.
  package var beginningBefore: Instant?
  /// Closed entries and breaks are wanted that ended after this instant.
  package var workedSince: Instant
  package var cursor: PresenceCursor?
  /// The most members to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, members: MemberSelection = .everybody, beginningFrom: Instant? = nil,
    beginningBefore: Instant? = nil,
    workedSince: Instant, cursor: PresenceCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.members = members
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
  /// The source of the active entry.
  package var source: TimeEntrySource
  /// The segment that runs; nil if none does.
  package var segment: RunningSegment?
  /// The closed entries that ended after `PresenceQuery.workedSince`, in no order.
  package var worked: [EndedSpan]
  /// The breaks that ended after it, paid and unpaid, in no order.
  package var breaks: [EndedSpan]

  package init(
    userID: UserID, name: String, timeZone: TimeZoneIdentifier?, timeEntryID: TimeEntryID,
    clockInTime: Instant, sessionID: SessionID?, source: TimeEntrySource, segment: RunningSegment?,
    worked: [EndedSpan], breaks: [EndedSpan]
  ) {
    self.userID = userID
    self.name = name
    self.timeZone = timeZone
    self.timeEntryID = timeEntryID
    self.clockInTime = clockInTime
    self.sessionID = sessionID
    self.source = source
    self.segment = segment
    self.worked = worked
    self.breaks = breaks
  }
}

/// An open segment, as a list of clocked-in members shows it.
package struct RunningSegment: Hashable, Sendable {
  package var id: SegmentID
  package var purpose: SegmentPurpose
  package var name: String
  package var startTime: Instant

  package init(id: SegmentID, purpose: SegmentPurpose, name: String, startTime: Instant) {
    self.id = id
    self.purpose = purpose
    self.name = name
    self.startTime = startTime
  }
}

/// The times of an entry or a break that has ended: `[start, end)`.
package struct EndedSpan: Hashable, Sendable {
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
