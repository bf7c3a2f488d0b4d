import TimeclockDomain

/// Reads the entries and segments of a history. Entries come as reports read them, segments in pages before them: a
/// segment that does not fit the entries any more is cut, so that a history adds up all the same.
struct HistoryReading {
  let storage: any Storage
  let organization: OrganizationKey
  /// The owners of the time.
  let members: MemberSelection
  let rules: PayRulesCalendar
  let frame: ReportFrame
  let zone: Zone
  /// The dates of the period in the zone, in the order of time.
  let stretches: [DayStretch]

  /// The most segments, or members, that are read at once.
  private static let pageSize = 500
  private static let day: Int64 = 86_400_000

  /// The sums of the period.
  func sums() async throws -> HistorySums {
    // If no date of the period was ever shown, nothing is read.
    guard let start = stretches.first?.start, let end = stretches.last?.end else {
      return HistorySums(from: frame.startDate, through: frame.endDate)
    }
    var query = WorkedTimeQuery(
      organization: organization, members: members, endingAfter: start, beginningBefore: end, session: nil,
      hasDetails: false)
    var found = FoundSegments()
    switch frame.attribution {
    case .split: try await readSplit(from: start, to: end, into: &found)
    case .start, .end: try await readWhole(from: start, to: end, query, into: &found)
    }
    if rules.hasBreakRules {
      query.hasWholeShifts = true
      query.segments = .breaks
    }
    let segments = found.ofMembers
    return try await storage.report(on: query) { time in
      var sums = HistoryCalculation.sums(of: time, segments, stretches: stretches, frame: frame)
      // Segments that changed meanwhile leave no less than nothing to be paid.
      sums.deductedBreakSeconds = min(deductedSeconds(of: time), sums.workSeconds - sums.unpaidBreakSeconds)
      return sums
    }
  }

  /// The deductions for breaks by a report of the period.
  private func deductedSeconds(of time: WorkedTime) -> Int64 {
    guard rules.hasBreakRules else { return 0 }
    let dates = ReportDates(of: zone, from: frame.startDate, through: frame.endDate)
    let report = ReportCalculation(dates: dates, frame: frame, rules: rules.withoutOvertime)
    return report.slices(of: time, ReportSegments(time.segments)).reduce(0) { $0 + $1.deductedSeconds }
  }

  /// The segments that share a moment with a span. Of a member's segments before it only the last one can reach into it,
  /// because none overlap.
  private func readSplit(from start: Instant, to end: Instant, into found: inout FoundSegments) async throws {
    guard members.user == nil else {
      try await read(members, from: start, to: end, into: &found)
      try await readLast(of: members, before: start, into: &found)
      return
    }
    // Nearly all work at midnight has begun in the day before.
    let earlier = start.adding(milliseconds: -Self.day)
    try await read(members, from: earlier, to: start, into: &found)
    let known = Set(found.ofMembers.keys)
    try await read(members, from: start, to: end, into: &found)
    guard try await last(of: members, before: earlier) != nil else { return }
    var cursor: RowCursor?
    repeat {
      let page = try await storage.members(
        of: organization, in: members, after: cursor, limit: Self.pageSize)
      let unknown = Set(page.elements.map(\.userID)).subtracting(known)
      for member in try await storage.memberships(of: unknown, in: organization).values {
        try await readLast(of: .member(member.key.user), before: earlier, into: &found)
      }
      cursor = page.next
    } while cursor != nil
  }

  /// The segments that begin in a span, and those of entries that do.
  private func readWhole(
    from start: Instant, to end: Instant, _ query: WorkedTimeQuery, into found: inout FoundSegments
  ) async throws {
    try await read(members, from: start, to: end, into: &found)
    let asOf = frame.asOf
    let longer = try await storage.report(on: query) { time in
      time.entries.filter { $0.clockIn >= start && ($0.clockOut ?? asOf) > end }
    }
    for entry in longer {
      try await read(.member(entry.user), from: end, to: entry.clockOut ?? asOf, into: &found)
    }
  }

  private func read(
    _ members: MemberSelection, from start: Instant, to end: Instant, into found: inout FoundSegments
  ) async throws {
    var query = SegmentQuery(
      organization: organization, members: members, start: start, end: end, limit: Self.pageSize)
    repeat {
      let page = try await storage.segments(query)
      for segment in page.elements { found.add(segment) }
      query.cursor = page.next
    } while query.cursor != nil
  }

  private func readLast(
    of members: MemberSelection, before end: Instant, into found: inout FoundSegments
  ) async throws {
    if let segment = try await last(of: members, before: end) { found.add(segment) }
  }

  private func last(of members: MemberSelection, before end: Instant) async throws -> Segment? {
    try await storage.segments(
      SegmentQuery(organization: organization, members: members, end: end, limit: 1)
    ).elements.first
  }
}

/// The segments that were found, each once, though it may have moved from one page to another meanwhile.
private struct FoundSegments {
  private(set) var ofMembers: [UserID: [HistorySegment]] = [:]
  private var seen = Set<SegmentID>()

  mutating func add(_ segment: Segment) {
    guard seen.insert(segment.id).inserted else { return }
    ofMembers[segment.userID, default: []].append(HistorySegment(segment))
  }
}
