import TimeclockDomain

extension World {
  /// Work on a new project of the organization.
  func addProject(in organization: TestOrganization, isBillable: Bool = false) async throws -> ProjectID {
    var project = project(organization)
    project.isBillable = isBillable
    return try await keep(project, in: organization).id
  }

  /// A break type of the organization, kept.
  func addBreakType(in organization: TestOrganization, isPaid: Bool = false) async throws -> BreakTypeID {
    try await storage.createRecord(
      BreakType(head: head(in: organization)) {
        $0.name = "Lunch"
        $0.isPaid = isPaid
      }, in: organization.key, context: .test(), recording: nil
    ).id
  }

  /// A segment as the rules would make it, not yet kept.
  func segment(
    of member: TestMember, in organization: TestOrganization, for purpose: SegmentPurpose,
    from start: Instant, to end: Instant?, name: String = SegmentText.standardName
  ) -> Segment {
    Segment(
      id: id(), organizationID: organization.id, userID: member.id, timeEntryID: nil, purpose: purpose,
      isPaid: true, isBillable: false, name: name, tags: [], startTime: start, endTime: end,
      timeZone: zone("UTC"), source: .api, version: 1, createdAt: Self.start, updatedAt: Self.start)
  }

  /// Starts a segment at a stated time.
  @discardableResult
  func start(
    _ member: TestMember, in organization: TestOrganization, on purpose: SegmentPurpose,
    at time: Instant, isStated: Bool = true, clockIn: Bool = true, name: String? = nil,
    session: SessionID? = nil, as clockInPart: SegmentStart.ClockIn = .ifNeeded
  ) async throws -> StartedSegment {
    try await storage.startSegment(
      SegmentStart(
        member: member.key,
        segment: segment(
          of: member, in: organization, for: purpose, from: time, to: nil,
          name: name ?? SegmentText.standardName), isNameStated: name != nil, isTimeStated: isStated,
        entry: clockIn ? entry(of: member, in: organization, from: time, to: nil, session: session) : nil,
        clockIn: clockInPart, context: .test(at: time)), recording: nil)
  }

  @discardableResult
  func stop(
    _ member: TestMember, at time: Instant, isStated: Bool = true, resume: Bool = true, clockOut: Bool = false
  ) async throws -> StoppedSegment {
    try await storage.stopSegment(
      SegmentStop(
        member: member.key, time: time, isTimeStated: isStated, resumed: resume ? id() : nil,
        clockOut: clockOut ? .standard : nil, context: .test(at: time)), recording: nil)
  }

  /// Keeps a closed segment.
  @discardableResult
  func keep(
    _ segment: Segment, of member: TestMember, in place: SegmentPlace = .attached
  ) async throws -> Segment {
    try await storage.createSegment(
      NewSegment(member: member.key, segment: segment, place: place, context: .test()), recording: nil)
  }

  /// All pages of a list of segments, the newest first.
  func listSegments(_ query: SegmentQuery) async throws -> [Segment] {
    var (query, segments) = (query, [Segment]())
    repeat {
      let page = try await storage.segments(query)
      segments += page.elements
      query.cursor = page.next
    } while query.cursor != nil
    return segments
  }

  /// The spans of a member's segments, the oldest first, as hours behind `hour(0)` with the purpose of each.
  func spans(_ member: TestMember, in organization: TestOrganization) async throws -> [WorkSpan] {
    try await listSegments(
      SegmentQuery(organization: organization.key, user: member.key.user, limit: 100)
    ).reversed().map { WorkSpan($0.startTime, $0.endTime, $0.purpose) }
  }
}

/// The span of a segment, and its purpose.
struct WorkSpan: Hashable, CustomStringConvertible {
  let start: Instant
  let end: Instant?
  let purpose: SegmentPurpose

  init(_ start: Instant, _ end: Instant?, _ purpose: SegmentPurpose) {
    (self.start, self.end, self.purpose) = (start, end, purpose)
  }

  var description: String {
    func hours(_ instant: Instant) -> Double {
      Double(instant.milliseconds(since: .hour(0))) / 3_600_000
    }
    return "\(hours(start))–\(end.map { "\(hours($0))" } ?? "")"
  }
}
