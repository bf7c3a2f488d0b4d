import TimeclockDomain

extension Timeclock {
  /// The approvals that stand, with all their dates in a range, whose dates have other paid seconds now. Work is read only
  /// if there are such approvals.
  ///
  /// - Parameter asOf: The instant to which active entries count.
  /// - Throws: `MissingTimeZone`.
  func approvalDifferences(
    of members: MemberSelection, on dates: ClosedRange<LocalDate>, by rules: PayRulesCalendar, asOf: Instant,
    for caller: Membership
  ) async throws -> [ApprovalDifference] {
    let organization = caller.key.organization
    let approvals = try await storage.standingApprovals(of: members, on: dates, in: organization)
    guard let user = approvals.first?.user else { return [] }
    let members = approvals.allSatisfy { $0.user == user } ? .member(user) : members
    let comparison = ApprovalComparison(
      approvals, by: try await schedules(of: members, for: caller),
      others: Schedule(rows: [], organizationZone: try zone(stored: caller.organizationTimeZone)),
      rules: rules, asOf: asOf)
    return try await storage.report(on: comparison.paid.query(of: members, in: organization)) { time in
      comparison.differences(in: time)
    }
  }
}
