import TimeclockDomain

private enum StandingApprovalStatements {
  /// The approvals that reach into the dates from `$2` through `$3`, of members whose approved dates do.
  static let all = SelectingStatements(by: "p.user_id", row: "$4") {
    RecordStatement(
      """
      FROM periods p JOIN approvals r ON r.organization_id = p.organization_id AND r.user_id = p.user_id \
      WHERE p.organization_id = $1 AND p.approved_through >= $2 AND r.through >= $2 AND r.from_date <= $3\($0)
      """,
      columns: RecordColumns([
        ("user", "r.user_id"), ("approval", "r.approval_id"), ("from_date", "r.from_date"),
        ("through", "r.through"), ("paid_seconds", "r.paid_seconds"),
        ("approved_through", "p.approved_through"),
      ]))
  }
}

extension Storage {
  /// The approval of a member that stands with a date as its last one; nil if none does.
  package func standingApproval(of member: MemberKey, through date: LocalDate) async throws -> Approval? {
    try await first(
      Approval.standing, [.key(member.organization), .key(member.user), .date(date)],
      in: .organization(member.organization), Approval.init)
  }

  /// The approvals that stand, with all their dates in a range, in any order.
  package func standingApprovals(
    of members: MemberSelection, on dates: ClosedRange<LocalDate>, in organization: OrganizationKey
  ) async throws -> [StandingApproval] {
    let rows = try await read(
      StandingApprovalStatements.all[members],
      [.key(organization), .date(dates.lowerBound), .date(dates.upperBound)] + members.values,
      in: .organization(organization), limit: members.user == nil ? 10_000 : 100
    ) { row in
      let approval = StandingApproval(
        user: UserKey(row.integer("user")), row: row.integer("approval"), from: row.date("from_date"),
        through: row.date("through"), paidSeconds: row.integer("paid_seconds"))
      return (approval: approval, approved: row.date("approved_through"))
    }
    // Approvals that only reach into the range are needed to see which of the others they replace.
    return Dictionary(grouping: rows, by: \.approval.user).values.flatMap { rows in
      StandingApproval.standing(of: rows.map(\.approval), approved: rows.map(\.approved).max() ?? .earliest)
    }.filter { dates.contains($0.from) && dates.contains($0.through) }
  }
}
