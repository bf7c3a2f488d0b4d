import TimeclockDomain

/// A client's request for a list of segments.
package struct SegmentListRequest: Sendable {
  /// The owners of the segments; if none are stated, the caller for a member, and everyone for a manager.
  package var members: WantedMembers
  package var projectID: ProjectID?
  package var taskID: TaskID?
  package var kind: SegmentKind?
  package var tag: String?
  package var dates: RequestedDates
  package var match: TimeEntryMatch
  package var cursor: SegmentCursor?
  package var limit: Int

  package init(
    members: WantedMembers = WantedMembers(), projectID: ProjectID? = nil, taskID: TaskID? = nil,
    kind: SegmentKind? = nil,
    tag: String? = nil, dates: RequestedDates = RequestedDates(), match: TimeEntryMatch = .start,
    cursor: SegmentCursor? = nil, limit: Int = 100
  ) {
    self.members = members
    self.projectID = projectID
    self.taskID = taskID
    self.kind = kind
    self.tag = tag
    self.dates = dates
    self.match = match
    self.cursor = cursor
    self.limit = limit
  }
}

extension Timeclock {
  /// A page of segments, the newest start first. Days are those of the member asked for, else of the organization, from
  /// its calendar.
  ///
  /// - Throws: The errors of `segmentQuery`.
  package func segments(
    _ request: SegmentListRequest, for caller: Membership
  ) async throws -> Page<Segment, SegmentCursor> {
    try await storage.segments(segmentQuery(request, for: caller))
  }

  /// The query for a list.
  ///
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`, `.invalidDateRange`; `.notFound(.project)` and `.notFound(.task)` for one
  ///   that the caller may not see; `MissingTimeZone`.
  func segmentQuery(
    _ request: SegmentListRequest, for caller: Membership
  ) async throws -> SegmentQuery {
    let (subject, members) = try await subjectOrMembers(request.members, for: caller)
    if let id = request.projectID { _ = try await project(id, for: caller) }
    if let id = request.taskID { _ = try await task(id, for: caller) }
    let (first, last) = try await ends(of: request.dates, for: caller)
    let zone = try zone(stored: subject?.timeZone ?? caller.organizationTimeZone)
    return SegmentQuery(
      organization: caller.key.organization, members: members, projectID: request.projectID,
      taskID: request.taskID, kind: request.kind, tag: request.tag, match: request.match,
      start: first.map(zone.startOfDay), end: last.map { zone.startOfDay($0.adding(days: 1)) },
      cursor: request.cursor, limit: request.limit)
  }
}
