extension Timeclock {
  /// The hours of a range of dates, by up to three dimensions.
  ///
  /// - Parameter groupBy: One to three different dimensions.
  /// - Throws: `.notFound(.member)`, `.notFound(.session)`, `.forbidden`, `.invalidDateRange`, `.reportTooLong`,
  ///   `.unknownTimeZone`, `.reportInFuture` for an `asOf` ahead of the present; `MissingTimeZone`.
  package func hours(
    _ request: ReportRequest, groupBy: [ReportDimension], for caller: Membership
  ) async throws -> HoursReport {
    let plan = try await plan(request, for: caller)
    return try await storage.report(on: plan.query(for: groupBy)) { time in
      plan.report(on: time, parts: plan.parts(of: time), by: groupBy)
    }
  }

  /// The timesheet of a pay period, which is the one that a date lies in: today, where the request states none.
  ///
  /// - Parameter date: Any date of the period.
  /// - Throws: As `hours` does.
  package func timesheet(
    _ period: PayPeriod, around date: LocalDate?, _ request: ReportRequest, for caller: Membership
  ) async throws -> Timesheet {
    let zone = try reportZone(request.timeZone, for: caller)
    let dates = period.dates(
      around: date ?? zone.localDate(at: clock.now), weekStart: caller.policy.weekStart)
    var request = request
    (request.startDate, request.endDate) = dates
    let plan = try await plan(request, for: caller)
    return try await storage.report(on: plan.query(for: [.user, .day])) { time in
      let parts = plan.parts(of: time)
      return Timesheet(
        period: period, byDay: plan.report(on: time, parts: parts, by: [.user, .day]),
        byUser: plan.report(on: time, parts: parts, by: [.user]))
    }
  }

  private func reportZone(_ name: String?, for caller: Membership) throws -> Zone {
    if let name { return try zone(named: name) }
    return try zone(stored: caller.organizationTimeZone)
  }

  /// The instant to which a report counts: the present where none is stated, or a stated one is a little ahead.
  ///
  /// - Throws: `.reportInFuture`.
  func reportInstant(_ stated: Instant?) throws -> Instant {
    let now = clock.now
    let asOf = stated ?? now
    guard asOf.milliseconds(since: now) <= StatedTime.skew else { throw TimeclockError.reportInFuture }
    return min(asOf, now)
  }

  private func plan(_ request: ReportRequest, for caller: Membership) async throws -> ReportPlan {
    let subject: Membership? =
      if request.userID == nil, caller.role >= .manager {
        nil
      } else {
        try await subject(request.userID, for: caller)
      }
    let zone = try reportZone(request.timeZone, for: caller)
    let (start, end) = (request.startDate, request.endDate)
    guard start <= end else { throw TimeclockError.invalidDateRange }
    guard end.daysSince1970 - start.daysSince1970 < ReportLimits.days else {
      throw TimeclockError.reportTooLong
    }
    return ReportPlan(
      frame: ReportFrame(
        startDate: start, endDate: end, timeZone: zone.identifier, attribution: request.attribution,
        asOf: try reportInstant(request.asOf)),
      zone: zone, policy: caller.policy, organization: caller.key.organization, user: subject?.key.user,
      session: request.sessionID)
  }
}

/// The plan of a report; the same for every storage.
private struct ReportPlan: Sendable {
  let frame: ReportFrame
  let policy: Policy
  let organization: OrganizationKey
  let user: UserKey?
  let session: SessionID?
  /// The range's, and those of its first week where overtime depends on them.
  let stretches: [DayStretch]

  init(
    frame: ReportFrame, zone: Zone, policy: Policy, organization: OrganizationKey, user: UserKey?,
    session: SessionID?
  ) {
    self.frame = frame
    self.policy = policy
    self.organization = organization
    self.user = user
    self.session = session
    let hasWeeks = policy.weeklyOvertimeSeconds != nil
    let first = hasWeeks ? frame.startDate.startOfWeek(beginning: policy.weekStart) : frame.startDate
    stretches = zone.dayStretches(from: first, through: frame.endDate)
  }

  /// The row of a session that nothing belongs to.
  private static let noRow: Int64 = -1

  func query(for groupBy: [ReportDimension]) -> WorkedTimeQuery {
    // Where no date of the range was ever shown, nothing is read.
    let start = stretches.first?.start ?? .latest
    return WorkedTimeQuery(
      organization: organization, user: user,
      // An entry that ends as a date begins counts for that date where it counts for its end.
      endingAfter: frame.attribution == .end ? start.adding(milliseconds: -1) : start,
      beginningBefore: stretches.last?.end ?? .latest, session: session,
      hasDetails: session != nil || groupBy.contains(.session) || groupBy.contains(.source))
  }

  func parts(of time: WorkedTime) -> [ReportCalculation.Part] {
    let row = session.map { id in time.sessions.first { $0.value.id == id }?.key ?? Self.noRow }
    return ReportCalculation(stretches: stretches, frame: frame, policy: policy, session: row)
      .parts(of: time.entries)
  }

  func report(
    on time: WorkedTime, parts: [ReportCalculation.Part], by dimensions: [ReportDimension]
  ) -> HoursReport {
    let (rows, totals) = ReportGrouping.grouping(parts, of: time, by: dimensions)
    return HoursReport(
      frame: frame, groupBy: dimensions, rows: rows, totals: totals,
      anomalies: anomalies(among: parts, of: time))
  }

  /// The entries that are flagged, or active for too long, the earliest start first.
  private func anomalies(
    among parts: [ReportCalculation.Part], of time: WorkedTime
  ) -> [ReportAnomaly] {
    var found: [ReportAnomaly] = []
    var seen = Set<Int>()
    for part in parts {
      let entry = time.entries[part.entry]
      guard let id = entry.id, let person = time.people[entry.user] else { continue }
      let milliseconds = (entry.clockOut ?? frame.asOf).milliseconds(since: entry.clockIn)
      let isOpenTooLong = entry.clockOut == nil && milliseconds > policy.maximumSeconds * 1_000
      guard isOpenTooLong || !entry.flags.isEmpty, seen.insert(part.entry).inserted else { continue }
      found.append(
        ReportAnomaly(
          id: id, person: person, clockIn: entry.clockIn, clockOut: entry.clockOut,
          seconds: milliseconds / 1_000, flags: entry.flags, isOpenTooLong: isOpenTooLong))
    }
    return found.sorted { ($0.clockIn, $0.id) < ($1.clockIn, $1.id) }
  }
}
