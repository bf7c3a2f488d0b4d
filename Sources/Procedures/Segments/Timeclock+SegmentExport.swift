import TimeclockDomain

/// A segment with the names of the records it refers to, as files show it.
package struct ExportedSegment: Sendable {
  package var segment: Segment
  package var userName: String
  package var projectName: String?
  package var client: String?
  package var taskName: String?
  /// The date in the segment's zone on which it began.
  package var date: LocalDate
  /// The offsets from UTC, in seconds, of the segment's zone at its start and its end.
  package var startOffsetSeconds: Int32
  package var endOffsetSeconds: Int32
}

/// Segments on their way out, read a page at a time, the newest start first. The caller's right to see them is checked when
/// the export begins; a segment that is written meanwhile may be in it or not.
package struct SegmentExport: Sendable {
  private let query: SegmentQuery
  private let timeclock: Timeclock
  /// The end of an open segment's duration, the same for all pages.
  package let now: Instant
  private var cursor: SegmentCursor?
  private var isAtEnd = false
  private var users: [UserID: String] = [:]
  private var projects: [ProjectID: Project] = [:]
  private var tasks: [TaskID: String] = [:]

  fileprivate init(query: SegmentQuery, timeclock: Timeclock) {
    self.query = query
    self.timeclock = timeclock
    now = timeclock.clock.now
  }

  /// The next segments, at most 1,000; nil behind the last ones.
  package mutating func nextPage() async throws -> [ExportedSegment]? {
    guard !isAtEnd else { return nil }
    var query = query
    query.cursor = cursor
    let page = try await timeclock.storage.segments(query)
    cursor = page.next
    isAtEnd = page.next == nil
    var exported: [ExportedSegment] = []
    exported.reserveCapacity(page.elements.count)
    for segment in page.elements { exported.append(try await named(segment)) }
    return exported
  }

  private mutating func named(_ segment: Segment) async throws -> ExportedSegment {
    let zone = try timeclock.zone(stored: segment.timeZone)
    let project = try await project(segment.purpose.projectID)
    return ExportedSegment(
      segment: segment, userName: try await userName(segment.userID), projectName: project?.name,
      client: project?.client, taskName: try await taskName(segment.purpose.taskID),
      date: zone.localDate(at: segment.startTime),
      startOffsetSeconds: zone.offsetSeconds(at: segment.startTime),
      endOffsetSeconds: zone.offsetSeconds(at: segment.endTime ?? now))
  }

  private mutating func userName(_ id: UserID) async throws -> String {
    if let known = users[id] { return known }
    let name = try await timeclock.storage.member(id, in: query.organization)?.name ?? ""
    users[id] = name
    return name
  }

  private mutating func project(_ id: ProjectID?) async throws -> Project? {
    guard let id else { return nil }
    if let known = projects[id] { return known }
    let project = try await timeclock.storage.project(id, in: query.organization)
    projects[id] = project
    return project
  }

  private mutating func taskName(_ id: TaskID?) async throws -> String? {
    guard let id else { return nil }
    if let known = tasks[id] { return known }
    let name = try await timeclock.storage.task(id, in: query.organization)?.name
    tasks[id] = name
    return name
  }
}

extension Timeclock {
  /// The segments that a list of the same request shows on all its pages; its cursor and its limit do not matter.
  ///
  /// - Throws: The errors of `segmentQuery`.
  package func segmentExport(
    of request: SegmentListRequest, for caller: Membership
  ) async throws -> SegmentExport {
    var query = try await segmentQuery(request, for: caller)
    query.cursor = nil
    query.limit = 1_000
    return SegmentExport(query: query, timeclock: self)
  }
}
