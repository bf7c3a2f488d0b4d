import TimeclockDomain

extension Timeclock {
  /// The balances of members in a range of dates, and their accounts; for representatives of a group those of its members.
  ///
  /// Entries are read at one moment; schedules, holidays, absences and adjustments shortly before it.
  ///
  /// - Parameter answer: Makes the answer of the report, also apart from the serving of requests: as text, a long report is
  ///   megabytes.
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`, `.invalidDateRange`, `.reportTooLong`, `.reportInFuture` for an `asOf`
  ///   ahead of the present; `MissingTimeZone`.
  package func balance<Answer: Sendable>(
    _ request: BalanceRequest, for caller: Membership,
    answer: @escaping @Sendable (BalanceReport) -> Answer
  ) async throws -> Answer {
    let (members, representation) = try await readMembers(request.members, .reportBalance, for: caller)
    try ReportLimits.validate(from: request.startDate, through: request.endDate)
    let asOf = try reportInstant(request.asOf)
    let calculation = BalanceCalculation(
      try await balanceFacts(of: members, for: caller), request,
      in: try zone(stored: caller.organizationTimeZone), by: try await payRules(for: caller), asOf: asOf)
    try await keepRead(by: caller, as: representation, from: request.startDate, through: request.endDate)
    return try await storage.report(on: calculation.paid.query(of: members, in: caller.key.organization)) {
      time in
      let report = calculation.report(of: time)
      return answer(representation == nil ? report : RepresentativeView.shown(report))
    }
  }

  /// The account of a member, and the current week.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.reportInFuture` for an `asOf` ahead of the present; `MissingTimeZone`.
  package func account(
    of userID: UserID, asOf: Instant?, for caller: Membership
  ) async throws -> MemberAccount {
    let member = try await subject(userID, for: caller)
    let user = member.key.user
    let asOf = try reportInstant(asOf)
    var calculation = AccountCalculation(
      try await balanceFacts(of: .member(user), for: caller), of: user,
      in: try zone(stored: caller.organizationTimeZone), by: try await payRules(for: caller), asOf: asOf)
    calculation.entitlement = try await storage.entitlementRows(
      of: .member(user), .vacation, in: calculation.today.year, of: caller.key.organization)[user]
    var account = try await storage.report(
      on: calculation.paid.query(of: .member(user), in: caller.key.organization)
    ) { [calculation] time in calculation.account(of: time) }
    account.period = try await keptPeriod(of: member)
    return account
  }

  /// All that the balances of members depend on beside their work.
  ///
  /// - Throws: `MissingTimeZone`.
  func balanceFacts(of members: MemberSelection, for caller: Membership) async throws -> BalanceFacts {
    let organization = caller.key.organization
    return BalanceFacts(
      schedules: try await schedules(of: members, for: caller),
      holidays: try await storage.holidays(ofSchedulesOf: members, in: organization),
      absences: try await storage.absences(of: members, in: organization),
      adjustments: try await storage.adjustments(of: members, in: organization))
  }
}

extension PaidSeconds {
  /// The entries to read.
  func query(of members: MemberSelection, in organization: OrganizationKey) -> WorkedTimeQuery {
    // If no date counts, nothing is read.
    let (start, end) = span ?? (.latest, .latest)
    return WorkedTimeQuery(
      organization: organization, members: members, endingAfter: start, beginningBefore: end, session: nil,
      hasDetails: false, hasWholeShifts: needsWholeShifts, segments: .breaks)
  }
}
