/// The public id of a segment.
package typealias SegmentID = Identifier<Segment>

/// A span of a member's time with its purpose: work on a project or a task, or a break. Pay comes from time entries
/// alone; segments divide an entry by purpose, and mark unpaid breaks.
package struct Segment: Hashable, Sendable {
  package var id: SegmentID
  package var organizationID: OrganizationID
  package var userID: UserID
  /// The entry that it lies in; nil for work that is kept without one.
  package var timeEntryID: TimeEntryID?
  package var purpose: SegmentPurpose
  /// As the break type said when the segment was written; work always is.
  package var isPaid: Bool
  /// As the project said when the segment was written, unless it was stated.
  package var isBillable: Bool
  package var name: String
  package var tags: [String]
  package var startTime: Instant
  /// Nil while the segment is open. Never before or at `startTime`.
  package var endTime: Instant?
  /// The zone of the clock on the wall, for local times in files.
  package var timeZone: TimeZoneIdentifier
  package var source: TimeEntrySource
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: SegmentID, organizationID: OrganizationID, userID: UserID, timeEntryID: TimeEntryID?,
    purpose: SegmentPurpose, isPaid: Bool, isBillable: Bool, name: String, tags: [String],
    startTime: Instant, endTime: Instant?, timeZone: TimeZoneIdentifier, source: TimeEntrySource,
    version: Int64, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.organizationID = organizationID
    self.userID = userID
    self.timeEntryID = timeEntryID
    self.purpose = purpose
    self.isPaid = isPaid
    self.isBillable = isBillable
    self.name = name
    self.tags = tags
    self.startTime = startTime
    self.endTime = endTime
    self.timeZone = timeZone
    self.source = source
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  package var kind: SegmentKind { purpose.kind }

  /// Whole seconds from start to end, cut; an open segment's run to `now`, and never below zero.
  package func durationSeconds(at now: Instant) -> Int64 {
    max(0, (endTime ?? now).milliseconds(since: startTime)) / 1_000
  }
}

/// The kinds of segments.
package enum SegmentKind: String, CaseIterable, Sendable {
  case work
  case `break`
}

/// The things that a segment was for: a project, a task, or a break.
package struct SegmentPurpose: Hashable, Sendable {
  package var projectID: ProjectID?
  package var taskID: TaskID?
  package var breakTypeID: BreakTypeID?

  package init(projectID: ProjectID? = nil, taskID: TaskID? = nil, breakTypeID: BreakTypeID? = nil) {
    self.projectID = projectID
    self.taskID = taskID
    self.breakTypeID = breakTypeID
  }

  package var kind: SegmentKind { breakTypeID == nil ? .work : .break }
}

extension Segment {
  /// Restores fields that no change may change: the member, the source and the history.
  package mutating func restoreFixed(from before: Segment) {
    id = before.id
    organizationID = before.organizationID
    userID = before.userID
    source = before.source
    version = before.version
    createdAt = before.createdAt
    updatedAt = before.updatedAt
  }

  /// The segment as a change of something else leaves it: a new version.
  package func revised(at now: Instant, by change: (inout Segment) -> Void) -> Segment {
    var segment = self
    change(&segment)
    segment.version = version + 1
    segment.updatedAt = now
    return segment
  }

  /// The segment inside the span of its entry.
  ///
  /// - Parameter end: The end of the entry; nil while it is active.
  /// - Returns: The segment itself if it lies inside; one that is cut, with a new version; nil if nothing of it is
  ///   left, for an empty segment is never kept.
  package func cut(from start: Instant, to end: Instant?, at now: Instant) -> Segment? {
    let newStart = max(startTime, start)
    let newEnd = [endTime, end].compactMap { $0 }.min()
    guard newEnd.map({ newStart < $0 }) ?? true else { return nil }
    guard newStart != startTime || newEnd != endTime else { return self }
    return revised(at: now) { segment in
      segment.startTime = newStart
      segment.endTime = newEnd
    }
  }
}

extension Segment: Versioned {
  package var current: CurrentResource { CurrentResource(.segment(self), version: version) }
}
