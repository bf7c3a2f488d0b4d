import TimeclockDomain

extension Timeclock {
  /// The open points of a member's dates that are to be approved next, as they are now.
  ///
  /// - Parameter marks: The member's.
  /// - Throws: `MissingTimeZone`.
  func openPoints(
    of member: Membership, _ marks: PeriodDates, for caller: Membership
  ) async throws -> [OpenPoint] {
    let (user, organization) = (member.key.user, caller.key.organization)
    let facts = try await balanceFacts(of: .member(user), for: caller)
    let schedule =
      try facts.schedules[user]
      ?? Schedule(rows: [], organizationZone: zone(stored: caller.organizationTimeZone))
    guard let open = OpenDates(of: schedule, marks, at: clock.now) else { return [] }
    let requests = try await storage.absences(
      AbsenceFilter(members: .member(user), state: .requested, dates: open.dates), in: organization,
      after: nil, limit: OpenPoint.maximumCount
    ).elements
    let corrections = try await storage.openCorrections(of: member.key)
    let request = ReportRequest(
      startDate: open.dates.lowerBound, endDate: open.dates.upperBound,
      timeZone: CountingZone.payroll.rawValue, members: WantedMembers(userID: member.userID))
    return try await hours(request, groupBy: [.day], for: caller) { report in
      open.points(facts, of: user, report, requests, corrections)
    }
  }
}
