/// An approval as reports compare it with the present.
package struct StandingApproval: Hashable, Sendable {
  package let user: UserKey
  /// Grows with each approval of a member.
  package let row: Int64
  package let from: LocalDate
  package let through: LocalDate
  /// The paid seconds of these dates, as they were approved.
  package let paidSeconds: Int64

  package init(user: UserKey, row: Int64, from: LocalDate, through: LocalDate, paidSeconds: Int64) {
    self.user = user
    self.row = row
    self.from = from
    self.through = through
    self.paidSeconds = paidSeconds
  }

  /// Those of a member's approvals that stand: all their dates are still approved, and none of them was approved again.
  ///
  /// - Parameters:
  ///   - approvals: Of one member, in any order.
  ///   - approved: The last date that is approved for the member.
  package static func standing(of approvals: [StandingApproval], approved: LocalDate) -> [StandingApproval] {
    var last = approved
    return approvals.sorted { $0.row > $1.row }.filter { approval in
      defer { last = min(last, approval.from.adding(days: -1)) }
      return approval.through <= last
    }
  }
}

/// An approval whose dates have other paid seconds now.
package struct ApprovalDifference: Hashable, Sendable {
  package let person: ReportedPerson
  /// The first date.
  package let from: LocalDate
  /// The last date.
  package let through: LocalDate
  /// The paid seconds of now less those that were approved; never 0.
  package let seconds: Int64

  package init(person: ReportedPerson, from: LocalDate, through: LocalDate, seconds: Int64) {
    self.person = person
    self.from = from
    self.through = through
    self.seconds = seconds
  }
}

/// Compares what was approved with what is paid for the same dates now.
package struct ApprovalComparison: Sendable {
  private let approvals: [StandingApproval]
  /// The work that counts.
  package let paid: PaidSeconds

  /// - Parameters:
  ///   - approvals: Those to compare.
  ///   - schedules: Those of the members whose approvals they are.
  ///   - others: The schedule of the members without one.
  ///   - rules: Those about breaks count.
  package init(
    _ approvals: [StandingApproval], by schedules: [UserKey: Schedule], others: Schedule,
    rules: PayRulesCalendar,
    asOf: Instant
  ) {
    self.approvals = approvals
    paid = PaidSeconds(
      by: schedules, others: others, from: approvals.lazy.map(\.from).min() ?? .latest,
      through: approvals.lazy.map(\.through).max() ?? .earliest, rules: rules, asOf: asOf)
  }

  /// The differences, by their dates, then by member.
  ///
  /// - Parameter time: The entries of the span of `paid`, and all members.
  package func differences(in time: WorkedTime) -> [ApprovalDifference] {
    let paid = paid.byMember(in: time)
    return approvals.compactMap { approval -> ApprovalDifference? in
      let dates = approval.from...approval.through
      let now = (paid[approval.user] ?? []).lazy.filter { dates.contains($0.date) }.reduce(0) {
        $0 + $1.seconds
      }
      guard now != approval.paidSeconds, let person = time.people[approval.user] else { return nil }
      return ApprovalDifference(
        person: person, from: approval.from, through: approval.through, seconds: now - approval.paidSeconds)
    }.sorted { ($0.from, $0.through, $0.person.id) < ($1.from, $1.through, $1.person.id) }
  }
}
