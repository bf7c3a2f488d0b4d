/// Adds up the dates of a member that are about to be approved.
package struct ApprovalCalculation: Sendable {
  private let facts: BalanceFacts
  private let user: UserKey
  private let from: LocalDate?
  private let firstApproved: LocalDate?
  private let through: LocalDate
  /// The work that counts.
  package let paid: PaidSeconds

  /// - Parameters:
  ///   - facts: Those of the member.
  ///   - former: The last date that is approved; nil if none is.
  ///   - firstApproved: The first date that was ever approved, which the dates to approve reach back to if none is; nil if
  ///     none was.
  ///   - firstEntry: The first date that an entry of the member has of its own; nil without entries.
  ///   - through: The last date that is about to be approved.
  ///   - zone: The organization's.
  ///   - rules: Those about breaks and overtime count.
  ///   - asOf: The time of the approval.
  package init(
    _ facts: BalanceFacts, of user: UserKey, after former: LocalDate?, firstApproved: LocalDate? = nil,
    firstEntry: LocalDate?, through: LocalDate, in zone: Zone, by rules: PayRulesCalendar, asOf: Instant
  ) {
    self.facts = facts
    self.user = user
    self.through = through
    self.firstApproved = firstApproved
    from = former.map { $0.adding(days: 1) }
    let schedule = facts.schedules[user] ?? Schedule(rows: [], organizationZone: zone)
    let beginning = [
      schedule.rows.first?.from, facts.adjustments[user]?.lazy.map(\.date).min(),
      firstEntry?.adding(days: -Self.margin),
    ].compactMap { $0 }.min()
    paid = PaidSeconds(
      by: [user: schedule], others: schedule, from: from ?? beginning ?? through, through: through,
      rules: rules, countsOvertime: true, asOf: asOf)
  }

  /// The most days between the date that an entry has of its own and the one that it counts for.
  private static let margin = 4

  /// Fills in the dates and the totals of an approval.
  ///
  /// - Parameter time: The entries of the span of `paid`.
  package func total(_ time: WorkedTime, in approval: inout Approval) {
    let paid = (self.paid.byMember(in: time)[user] ?? []).filter { $0.date <= through }
    let schedule = facts.schedules[user]
    let beginning = [
      schedule?.rows.first?.from, facts.adjustments[user]?.lazy.map(\.date).min(),
      paid.lazy.map(\.date).min(), firstApproved,
    ].compactMap { $0 }.min()
    let from = min(self.from ?? beginning ?? through, through)
    (approval.from, approval.through) = (from, through)
    var sums = DaySums()
    var balance: Int64 = 0
    if let days = facts.balance(of: user, paid: paid)?.days(from: from, through: through) {
      for day in days {
        sums += day.sums
        balance += day.sums.balance
      }
    }
    approval.plannedSeconds = sums.planned
    approval.holidaySeconds = sums.holiday
    approval.absenceSeconds = sums.absence
    approval.creditedSeconds = sums.credited
    approval.targetSeconds = sums.target
    approval.paidSeconds = paid.lazy.filter { $0.date >= from }.reduce(0) { $0 + $1.seconds }
    approval.adjustmentSeconds = sums.adjustment
    approval.balanceSeconds = balance
    let overtime = self.paid.overtime(on: from...through, in: time)
    (approval.dailyOvertimeSeconds, approval.weeklyOvertimeSeconds) = (overtime.daily, overtime.weekly)
  }
}
