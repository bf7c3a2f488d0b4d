import TimeclockDomain

extension Timeclock {
  /// The hours of a range of dates, by up to three dimensions; for representatives of a group those of its members.
  ///
  /// - Parameters:
  ///   - groupBy: One to three different dimensions.
  ///   - answer: Makes the answer of the report, also apart from the serving of requests: as text, a long report is megabytes.
  /// - Throws: `.notFound` for a member, a group, a session, or for a project or a task that the caller may not see; `.forbidden`, `.invalidDateRange`, `.reportTooLong`,
  ///   `.unknownTimeZone`, `.reportInFuture` for an `asOf` ahead of the present; `MissingTimeZone`.
  package func hours<Answer: Sendable>(
    _ request: ReportRequest, groupBy: [ReportDimension], for caller: Membership,
    answer: @escaping @Sendable (HoursReport) -> Answer
  ) async throws -> Answer {
    let plan = try await plan(request, by: groupBy, .reportHours, for: caller)
    let remarks = try await remarks(plan, for: caller)
    try await keepRead(
      by: caller, as: plan.representation, from: plan.frame.startDate, through: plan.frame.endDate)
    let groups =
      groupBy.contains(.group) && caller.role >= .manager
      ? try await storage.groupsOfMembers(
        in: caller.key.organization, managedBy: caller.seesOwnGroups ? caller.key.user : nil) : [:]
    let marks =
      groupBy.contains(.approval)
      ? try await storage.marks(of: plan.members, in: caller.key.organization) : [:]
    return try await storage.report(on: plan.query(for: groupBy, remarks)) { time in
      var time = time
      (time.groups, time.marks) = (groups, marks)
      let report = plan.report(on: SlicedTime(time, plan), by: groupBy, remarks)
      return answer(plan.representation == nil ? report : RepresentativeView.shown(report))
    }
  }

  /// The timesheet of a pay period, which is the one that a date lies in: today, if the request states none.
  ///
  /// - Parameters:
  ///   - date: Any date of the period.
  ///   - dimension: The dimension of rows besides the member; nil for none.
  ///   - answer: Makes the answer of the timesheet, as that of `hours` does.
  /// - Throws: As `hours` does.
  package func timesheet<Answer: Sendable>(
    _ period: PayPeriod, around date: LocalDate?, _ request: ReportRequest, by dimension: ReportDimension?,
    for caller: Membership, answer: @escaping @Sendable (Timesheet) -> Answer
  ) async throws -> Answer {
    let zone = try reportZone(of: request, for: caller)
    let dates = period.dates(
      around: date ?? zone.localDate(at: clock.now), by: try await payRules(for: caller))
    var request = request
    (request.startDate, request.endDate) = dates
    let dimensions = [.user] + (dimension.map { [$0] } ?? [])
    let plan = try await plan(request, by: dimensions, for: caller)
    let remarks = try await remarks(plan, for: caller)
    return try await storage.report(on: plan.query(for: dimensions, remarks)) { time in
      let sliced = SlicedTime(time, plan)
      return answer(
        Timesheet(
          period: period, byDay: plan.report(on: sliced, by: dimensions + [.day], remarks),
          byUser: plan.report(on: sliced, by: dimensions, remarks)))
    }
  }

  /// The corrections and approvals that a report is about.
  private func remarks(_ plan: ReportPlan, for caller: Membership) async throws -> ReportRemarks {
    var remarks = ReportRemarks()
    guard plan.request.showsAnomalies else { return remarks }
    remarks.objected = try await storage.objectedEntries(of: plan.members, in: caller.key.organization)
    guard plan.request.filter == ReportFilter() else { return remarks }
    remarks.differences = try await approvalDifferences(
      of: plan.members, on: plan.frame.startDate...plan.frame.endDate, by: plan.rules, asOf: plan.frame.asOf,
      for: caller)
    return remarks
  }

  /// The zone of a report's dates, and of the date of today. It is the organization's if the dates are each member's own.
  private func reportZone(of request: ReportRequest, for caller: Membership) throws -> Zone {
    if let name = request.timeZone, !request.isByMember { return try zone(named: name) }
    return try zone(stored: caller.organizationTimeZone)
  }

  /// The instant to which a report counts: the present if none is stated, or a stated one is a little ahead.
  ///
  /// - Throws: `.reportInFuture`.
  func reportInstant(_ stated: Instant?) throws -> Instant {
    let now = clock.now
    let asOf = stated ?? now
    guard asOf.milliseconds(since: now) <= StatedTime.skew else { throw TimeclockError.reportInFuture }
    return min(asOf, now)
  }

  /// - Parameter operation: The operation by which representatives may read; nil if they may not.
  private func plan(
    _ request: ReportRequest, by dimensions: [ReportDimension], _ operation: RecordRead.Operation? = nil,
    for caller: Membership
  ) async throws -> ReportPlan {
    let (members, representation) = try await readMembers(request.members, operation, for: caller)
    var request = request
    if representation != nil {
      guard RepresentativeView.permits(request, by: dimensions) else { throw TimeclockError.forbidden }
      request.showsAnomalies = false
    }
    let zone = try reportZone(of: request, for: caller)
    let rules = try await payRules(for: caller)
    let (start, end) =
      request.range?.dates(around: zone.localDate(at: clock.now), by: rules)
      ?? (request.startDate, request.endDate)
    try ReportLimits.validate(from: start, through: end)
    if let id = request.filter.projectID { _ = try await project(id, for: caller) }
    if let id = request.filter.taskID { _ = try await task(id, for: caller) }
    let frame = ReportFrame(
      startDate: start, endDate: end, timeZone: zone.identifier, isByMember: request.isByMember,
      attribution: request.attribution, asOf: try reportInstant(request.asOf))
    return ReportPlan(
      frame: frame, dates: try await dates(of: frame, in: zone, rules, members: members, for: caller),
      policy: caller.policy, rules: rules, organization: caller.key.organization, members: members,
      representation: representation, request: request)
  }

  /// The dates of a report, and those of its first week if overtime depends on them.
  private func dates(
    of frame: ReportFrame, in zone: Zone, _ rules: PayRulesCalendar, members: MemberSelection,
    for caller: Membership
  ) async throws -> ReportDates {
    let first = rules.firstDate(neededBy: frame.startDate)
    guard frame.isByMember else { return ReportDates(of: zone, from: first, through: frame.endDate) }
    return ReportDates(
      of: try await schedules(of: members, for: caller), others: Schedule(rows: [], organizationZone: zone),
      from: first, through: frame.endDate)
  }
}

/// The records beside entries that somebody should look at.
private struct ReportRemarks: Sendable {
  /// The approvals that differ now.
  var differences: [ApprovalDifference] = []
  /// The entries to whose change the member objects, of any dates.
  var objected: Set<TimeEntryID> = []
}

/// The plan of a report; the same for every storage.
private struct ReportPlan: Sendable {
  let frame: ReportFrame
  /// The range's, and those of its first week if overtime depends on them.
  let dates: ReportDates
  let policy: Policy
  let rules: PayRulesCalendar
  let organization: OrganizationKey
  let members: MemberSelection
  /// Nil if the caller reads by their role.
  let representation: Representation?
  let request: ReportRequest

  func query(for groupBy: [ReportDimension], _ remarks: ReportRemarks) -> WorkedTimeQuery {
    // If no date of the range was ever shown, nothing is read.
    let (start, end) = dates.span ?? (.latest, .latest)
    let filter = request.filter
    return WorkedTimeQuery(
      organization: organization, members: members,
      // An entry that ends as a date begins counts for that date if it counts for its end.
      endingAfter: frame.attribution == .end ? start.adding(milliseconds: -1) : start,
      beginningBefore: end, session: filter.sessionID,
      hasDetails: filter.sessionID != nil || groupBy.contains(.session) || groupBy.contains(.source),
      hasIDs: rules.hasBreakRules || !remarks.objected.isEmpty, hasWholeShifts: rules.hasBreakRules,
      segments: filter.isOfSegments || groupBy.contains(where: \.isOfSegments)
        ? .all(tag: filter.tag) : .breaks)
  }

  var calculation: ReportCalculation {
    ReportCalculation(
      dates: dates, frame: frame, rules: rules, filter: request.filter, rounding: request.rounding)
  }

  func report(
    on sliced: SlicedTime, by dimensions: [ReportDimension], _ remarks: ReportRemarks
  ) -> HoursReport {
    let codes = request.anomalyCodes
    let (rows, totals) = ReportGrouping.grouping(
      sliced.slices, of: sliced.time, sliced.segments, by: dimensions)
    let anomalies = anomalies(in: sliced, remarks)
    return HoursReport(
      frame: frame, rounding: request.rounding, groupBy: dimensions, rows: rows, totals: totals,
      anomalyCounts: ReportAnomalyCount.counts(of: anomalies, remarks.differences),
      anomalies: codes.map { codes in anomalies.filter { codes.contains(where: $0.has) } } ?? anomalies,
      differences: codes?.contains(.differsFromApproved) ?? true ? remarks.differences : [])
  }

  /// The entries that somebody should look at, the earliest start first.
  private func anomalies(in sliced: SlicedTime, _ remarks: ReportRemarks) -> [ReportAnomaly] {
    let (time, segments) = (sliced.time, sliced.segments)
    let breaks = ReportBreaks(segments: segments, asOf: frame.asOf)
    let lacking = Set(sliced.slices.lazy.filter(\.lacksBreak).map(\.entry))
    var found: [ReportAnomaly] = []
    var seen = Set<Int>()
    var last = -1
    for slice in sliced.slices where slice.entry != last {
      last = slice.entry
      let entry = time.entries[slice.entry]
      let end = entry.clockOut ?? frame.asOf
      let longBreak = segments.places(of: entry.user, from: entry.clockIn, to: end).lazy.map { segments[$0] }
        .first { breaks.isTooLong($0, time.purposes.expectedBreaks) }
      guard let id = entry.id ?? longBreak?.entryID, let person = time.people[entry.user] else { continue }
      let milliseconds = end.milliseconds(since: entry.clockIn)
      let anomaly = ReportAnomaly(
        id: id, person: person, clockIn: entry.clockIn, clockOut: entry.clockOut,
        seconds: milliseconds / 1_000, flags: entry.flags,
        isOpenTooLong: entry.clockOut == nil && milliseconds > policy.maximumSeconds * 1_000,
        lacksBreak: lacking.contains(slice.entry), hasLongBreak: longBreak != nil,
        isObjected: remarks.objected.contains(id))
      if anomaly.isOne, seen.insert(slice.entry).inserted { found.append(anomaly) }
    }
    return found.sorted { ($0.clockIn, $0.id) < ($1.clockIn, $1.id) }
  }
}

/// The time of a report, cut into counted slices.
private struct SlicedTime {
  let time: WorkedTime
  let segments: ReportSegments
  let slices: [ReportSlice]

  init(_ time: WorkedTime, _ plan: ReportPlan) {
    self.time = time
    segments = ReportSegments(time.segments)
    slices = plan.calculation.slices(of: time, segments)
  }
}

extension ReportAnomaly {
  fileprivate var isOne: Bool {
    isOpenTooLong || lacksBreak || hasLongBreak || isObjected || !flags.remarkable.isEmpty
  }
}
