/// The public id of a time entry.
package typealias TimeEntryID = Identifier<TimeEntry>

/// One span of a member's time; active until the member clocks out.
package struct TimeEntry: Hashable, Sendable {
  package var id: TimeEntryID
  package var userID: UserID
  package var organizationID: OrganizationID
  package var clockInTime: Instant
  /// Nil while the entry is active. Never before or at `clockInTime`.
  package var clockOutTime: Instant?
  /// The local date of `clockInTime` in `timeZone`.
  package var date: LocalDate
  /// The zone that `date` was computed in; it stays when the member's zone changes.
  package var timeZone: TimeZoneIdentifier
  /// That zone's offset from UTC at `clockInTime`, in seconds.
  package var offsetSeconds: Int32
  package var sessionID: SessionID?
  /// Sanitized; nil when there are none.
  package var notes: Notes?
  package var source: TimeEntrySource
  /// Whether a reader sees the source; true of every entry that is kept.
  package var isSourceShown = true
  package var flags: TimeEntryFlags
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: TimeEntryID, userID: UserID, organizationID: OrganizationID, clockInTime: Instant,
    clockOutTime: Instant?, date: LocalDate, timeZone: TimeZoneIdentifier, offsetSeconds: Int32,
    sessionID: SessionID?, notes: Notes?, source: TimeEntrySource, flags: TimeEntryFlags, version: Int64,
    createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.userID = userID
    self.organizationID = organizationID
    self.clockInTime = clockInTime
    self.clockOutTime = clockOutTime
    self.date = date
    self.timeZone = timeZone
    self.offsetSeconds = offsetSeconds
    self.sessionID = sessionID
    self.notes = notes
    self.source = source
    self.flags = flags
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The word for the source, or the one for a source that is not for the reader.
  package var shownSource: String { isSourceShown ? source.rawValue : TimeEntrySource.withheldWord }

  package var startedBy: TimeEntryBeginning { flags.contains(.startedBySegment) ? .segment : .clockIn }

  package var status: TimeEntryStatus { clockOutTime == nil ? .clockedIn : .clockedOut }

  /// Whole seconds from clock-in to clock-out, cut; an active entry's run to `now`, and never below zero.
  package func durationSeconds(at now: Instant) -> Int64 {
    max(0, (clockOutTime ?? now).milliseconds(since: clockInTime)) / 1_000
  }
}

/// Whether an entry is still running.
package enum TimeEntryStatus: String, CaseIterable, Sendable {
  case clockedIn = "clocked-in"
  case clockedOut = "clocked-out"
}

/// The act that began an entry.
package enum TimeEntryBeginning: String, CaseIterable, Sendable {
  /// A clock-in, or somebody who entered it by hand.
  case clockIn
  /// The start of a segment while the member was clocked out.
  case segment
}

/// The source of an entry.
package enum TimeEntrySource: String, CaseIterable, Sendable {
  /// The member, through the API.
  case api
  /// The member, on the page: with a log-in whose client it is.
  case web
  case kiosk
  case `import`
  /// A manager, for the member.
  case admin
  /// The service itself: it closed the entry, because nobody clocked out.
  case auto

  /// The word for a source that is not for the reader.
  package static let withheldWord = "withheld"
}

extension TimeEntry {
  /// Restores fields that no change may change: the member, the source and the history.
  package mutating func restoreFixed(from before: TimeEntry) {
    id = before.id
    userID = before.userID
    organizationID = before.organizationID
    source = before.source
    version = before.version
    createdAt = before.createdAt
    updatedAt = before.updatedAt
  }
}

extension TimeEntry {
  /// The entry after its session was taken off it: a new version.
  package func detached(at now: Instant) -> TimeEntry {
    var entry = self
    entry.sessionID = nil
    entry.version += 1
    entry.updatedAt = now
    return entry
  }
}

extension TimeEntry: Versioned {
  package var current: CurrentResource { CurrentResource(.timeEntry(self), version: version) }
}
