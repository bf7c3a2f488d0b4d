/// The beginning of a segment.
package struct SegmentStart: Sendable {
  package var member: MemberKey
  /// The segment to open, as it was stated.
  package var segment: Segment
  package var isNameStated: Bool
  /// Whether the client stated the time; otherwise it is the moment of the request, and never too early.
  package var isTimeStated: Bool
  /// The entry to begin if the member is clocked out; nil to refuse.
  package var entry: TimeEntry?
  package var clockIn: ClockIn
  /// Whether a break may be of a kind that has been archived, for it began before that.
  package var takesArchivedBreaks: Bool
  package var context: ChangeContext

  /// The part that clocking in has in a start.
  package enum ClockIn: Hashable, Sendable {
    /// The member may be clocked in already.
    case ifNeeded
    /// The member is to be clocked out before.
    ///
    /// - Parameter needsSessionAssignment: Whether the member has to be assigned to the entry's session.
    case required(needsSessionAssignment: Bool)
  }

  package init(
    member: MemberKey, segment: Segment, isNameStated: Bool, isTimeStated: Bool, entry: TimeEntry?,
    clockIn: ClockIn = .ifNeeded, takesArchivedBreaks: Bool = false, context: ChangeContext
  ) {
    self.member = member
    self.segment = segment
    self.isNameStated = isNameStated
    self.isTimeStated = isTimeStated
    self.entry = entry
    self.clockIn = clockIn
    self.takesArchivedBreaks = takesArchivedBreaks
    self.context = context
  }
}

/// The outcome of a start.
package struct StartedSegment: Hashable, Sendable {
  package var segment: Segment
  /// The segment that was open before, as it ended; nil if none was. One that was discarded is empty.
  package var stopped: Segment?
  package var timeEntry: TimeEntry
  /// Whether the member was clocked in by it.
  package var clockedIn: Bool
  /// False if the same was running already.
  package var isNew: Bool
  /// All that the start has changed, in the order of the changes.
  package var rows: [ClockRow]

  package init(
    segment: Segment, stopped: Segment?, timeEntry: TimeEntry, clockedIn: Bool, isNew: Bool, rows: [ClockRow]
  ) {
    self.segment = segment
    self.stopped = stopped
    self.timeEntry = timeEntry
    self.clockedIn = clockedIn
    self.isNew = isNew
    self.rows = rows
  }
}

/// The end of the open segment.
package struct SegmentStop: Sendable {
  package var member: MemberKey
  package var time: Instant
  /// Whether the client stated the time; otherwise it is the moment of the request, and never too early.
  package var isTimeStated: Bool
  /// The id of the segment with which a break goes back to work; nil if it does not.
  package var resumed: SegmentID?
  /// The policy that judges the entry that ends with the segment; nil if it goes on.
  package var clockOut: Policy?
  package var context: ChangeContext

  package init(
    member: MemberKey, time: Instant, isTimeStated: Bool, resumed: SegmentID?, clockOut: Policy?,
    context: ChangeContext
  ) {
    self.member = member
    self.time = time
    self.isTimeStated = isTimeStated
    self.resumed = resumed
    self.clockOut = clockOut
    self.context = context
  }
}

/// The outcome of a stop.
package struct StoppedSegment: Hashable, Sendable {
  /// The segment as it ended. One that was discarded is empty.
  package var segment: Segment
  /// The work that a break went back to; nil if it went to none.
  package var resumed: Segment?
  package var timeEntry: TimeEntry
  /// All that the stop has changed, in the order of the changes.
  package var rows: [ClockRow]

  package init(segment: Segment, resumed: Segment?, timeEntry: TimeEntry, rows: [ClockRow]) {
    self.segment = segment
    self.resumed = resumed
    self.timeEntry = timeEntry
    self.rows = rows
  }
}

/// A closed segment to keep.
package struct NewSegment: Sendable {
  package var member: MemberKey
  package var segment: Segment
  package var place: SegmentPlace
  /// The correction to keep with it; nil for none.
  package var notice: Correction?
  package var context: ChangeContext

  package init(
    member: MemberKey, segment: Segment, place: SegmentPlace, notice: Correction? = nil,
    context: ChangeContext
  ) {
    self.member = member
    self.segment = segment
    self.place = place
    self.notice = notice
    self.context = context
  }
}

/// The entry that a segment by hand is put into.
package enum SegmentPlace: Hashable, Sendable {
  /// The one that wholly contains it.
  case attached
  /// This one, which is made for it.
  case created(TimeEntry)
  /// None.
  case alone
}

/// The segment to change or delete, and the author of the change.
package struct SegmentUpdate: Sendable {
  package var id: SegmentID
  package var organization: OrganizationKey
  /// The version that the change is meant for; nil means any.
  package var expectedVersion: Int64?
  /// Whether the change states `isBillable`; otherwise a new project says it.
  package var isBillableStated: Bool
  /// The correction to keep with the change; nil for none.
  package var notice: Correction?
  package var context: ChangeContext

  package init(
    id: SegmentID, organization: OrganizationKey, expectedVersion: Int64?, isBillableStated: Bool = false,
    notice: Correction? = nil, context: ChangeContext
  ) {
    self.id = id
    self.organization = organization
    self.expectedVersion = expectedVersion
    self.isBillableStated = isBillableStated
    self.notice = notice
    self.context = context
  }
}

/// Segments that are in the way of a span.
package struct SegmentOverlaps: Hashable, Sendable {
  /// The oldest ones, oldest first, at most `TimeEntryStorageLimits.overlapsShown`.
  package var segments: [Segment]
  /// The number of all segments in the way.
  package var count: Int

  package init(segments: [Segment], count: Int) {
    self.segments = segments
    self.count = count
  }
}

/// The segments that a list shows.
package struct SegmentQuery: Sendable {
  package var organization: OrganizationKey
  /// The owners of the segments.
  package var members: MemberSelection
  package var projectID: ProjectID?
  package var taskID: TaskID?
  package var kind: SegmentKind?
  package var tag: String?
  /// The segments of `[start, end)`: those that begin in it, or those that share a moment with it.
  package var match: TimeEntryMatch
  /// Nil leaves that side of the span open.
  package var start: Instant?
  package var end: Instant?
  package var cursor: SegmentCursor?
  /// The most segments to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, members: MemberSelection, projectID: ProjectID? = nil,
    taskID: TaskID? = nil, kind: SegmentKind? = nil, tag: String? = nil, match: TimeEntryMatch = .start,
    start: Instant? = nil,
    end: Instant? = nil, cursor: SegmentCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.members = members
    self.projectID = projectID
    self.taskID = taskID
    self.kind = kind
    self.tag = tag
    self.match = match
    self.start = start
    self.end = end
    self.cursor = cursor
    self.limit = limit
  }
}

extension SegmentQuery {
  /// Makes a query about one owner, or about everyone.
  package init(
    organization: OrganizationKey, user: UserKey?, start: Instant? = nil, end: Instant? = nil,
    cursor: SegmentCursor? = nil, limit: Int
  ) {
    self.init(
      organization: organization, members: MemberSelection(user), start: start, end: end, cursor: cursor,
      limit: limit)
  }
}

/// A place in a list of segments: the last segment before it.
package struct SegmentCursor: Hashable, Sendable {
  package var startTime: Instant
  /// The segment's row, which decides among those that begin at one instant.
  package var row: Int64

  package init(startTime: Instant, row: Int64) {
    self.startTime = startTime
    self.row = row
  }
}
