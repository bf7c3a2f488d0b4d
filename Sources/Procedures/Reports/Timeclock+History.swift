import TimeclockDomain

extension Timeclock {
  /// The time of a day, a week or a month, with its purposes.
  ///
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`, `.unknownTimeZone`, `.reportInFuture` for an `asOf` ahead of the present;
  ///   `MissingTimeZone`.
  package func history(_ request: HistoryRequest, for caller: Membership) async throws -> History {
    let (subject, members) = try await subjectOrMembers(request.members, for: caller)
    let zone =
      if let name = request.timeZone {
        try zone(named: name)
      } else {
        try zone(stored: subject?.timeZone ?? caller.organizationTimeZone)
      }
    let today = zone.localDate(at: clock.now)
    let rules = try await payRules(for: caller)
    let dates = request.period.dates(
      around: request.range?.date(from: today) ?? request.date ?? today, by: rules)
    let frame = ReportFrame(
      startDate: dates.first, endDate: dates.last, timeZone: zone.identifier,
      attribution: request.attribution.ofReports, asOf: try reportInstant(request.asOf))
    let reading = HistoryReading(
      storage: storage, organization: caller.key.organization, members: members, rules: rules,
      frame: frame, zone: zone, stretches: zone.dayStretches(from: frame.startDate, through: frame.endDate))
    return try await history(request.period, frame, of: reading.sums(), in: caller.key.organization)
  }

  /// The sums of a history with the names of their purposes.
  private func history(
    _ period: HistoryPeriod, _ frame: ReportFrame, of sums: HistorySums, in organization: OrganizationKey
  ) async throws -> History {
    var projects: [ProjectID: Project] = [:]
    let projectSums = sums.projects
    for id in projectSums.keys.compactMap({ $0 }) {
      projects[id] = try await storage.project(id, in: organization)
    }
    var tasks: [TaskID: WorkTask] = [:]
    for id in sums.tasks.keys.compactMap({ $0 }) {
      tasks[id] = try await storage.task(id, in: organization)
    }
    return History(
      period: period, frame: frame, workSeconds: sums.workSeconds, breakSeconds: sums.breakSeconds,
      unpaidBreakSeconds: sums.unpaidBreakSeconds, deductedBreakSeconds: sums.deductedBreakSeconds,
      projects: HistoryRow.rows(of: projectSums, among: projects),
      tasks: HistoryRow.rows(of: sums.tasks, among: tasks),
      days: sums.days.map { day in
        History.Day(
          date: day.date, workSeconds: day.workSeconds,
          projects: HistoryRow.rows(of: day.projects, among: projects))
      }, outsideSeconds: sums.outsideSeconds)
  }
}
