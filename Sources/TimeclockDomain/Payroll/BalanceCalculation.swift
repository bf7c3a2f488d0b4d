/// Adds up members' dates to a report of their balances.
///
/// Each account is counted from the first date of the member's schedule on, whatever range is asked for.
package struct BalanceCalculation: Sendable {
  private let facts: BalanceFacts
  private let request: BalanceRequest
  private let asOf: Instant
  /// The schedule of members who have none.
  private let others: Schedule
  /// The work that counts.
  package let paid: PaidSeconds

  /// - Parameters:
  ///   - facts: Those of the members that the report is about.
  ///   - rules: Those about breaks count.
  ///   - asOf: The instant at which dates are over or not.
  package init(
    _ facts: BalanceFacts, _ request: BalanceRequest, in zone: Zone, by rules: PayRulesCalendar, asOf: Instant
  ) {
    self.facts = facts
    self.request = request
    self.asOf = asOf
    others = Schedule(rows: [], organizationZone: zone)
    // Without a schedule the range is empty.
    let first = facts.schedules.values.lazy.compactMap { $0.rows.first?.from }.min() ?? .latest
    let last = facts.schedules.values.lazy.map { $0.lastCountedDate(at: asOf) }.max() ?? .earliest
    paid = PaidSeconds(
      by: facts.schedules, others: others, from: first, through: min(last, request.endDate), rules: rules,
      asOf: asOf)
  }

  /// The report.
  ///
  /// - Parameter time: The entries of the span of `paid`, and all members.
  package func report(of time: WorkedTime) -> BalanceReport {
    let paid = paid.byMember(in: time)
    var report = BalanceReport(
      countedThrough: countedThrough(of: time.people.keys), grouping: request.grouping, rows: [],
      totals: DaySums(), totalBalance: 0)
    let people = facts.schedules.keys.compactMap { user in time.people[user].map { (user: user, person: $0) }
    }
    for (user, person) in people.sorted(by: { $0.person < $1.person }) {
      guard let balance = facts.balance(of: user, paid: paid[user] ?? []) else { continue }
      add(balance, of: person, to: &report)
    }
    return report
  }

  /// The latest date that is over for one of some members.
  private func countedThrough(of users: some Collection<UserKey>) -> LocalDate {
    let counted = users.lazy.compactMap { facts.schedules[$0]?.lastCountedDate(at: asOf) }.max()
    let hasOthers = users.contains { facts.schedules[$0] == nil }
    let ofOthers = others.lastCountedDate(at: asOf)
    return max(counted ?? ofOthers, hasOthers ? ofOthers : .earliest)
  }

  /// Adds a member's rows.
  private func add(_ balance: MemberBalance, of person: ReportedPerson, to report: inout BalanceReport) {
    let counted = balance.schedule.lastCountedDate(at: asOf)
    guard let first = balance.schedule.rows.first?.from else { return }
    var account = BalanceAccount()
    // None is open before the range.
    var rowEnd = LocalDate.earliest
    var hasRow = false
    for day in balance.days(from: first, through: min(counted, request.endDate)) {
      account.count(day)
      guard day.date >= request.startDate else { continue }
      if !hasRow || day.date > rowEnd {
        report.rows.append(row(of: day, person))
        rowEnd = request.grouping.lastDate(with: day.date) ?? .latest
        hasRow = true
      } else {
        report.rows[report.rows.count - 1].sums += day.sums
      }
      report.rows[report.rows.count - 1].carried = account.balance
      report.totals += day.sums
      report.totalBalance += day.sums.balance
    }
    guard request.includesFuture, request.grouping == .day, counted < request.endDate else { return }
    let next = max(request.startDate, counted.adding(days: 1))
    for var day in balance.days(from: next, through: request.endDate) {
      (day.sums.paid, day.sums.adjustment) = (0, 0)
      report.rows.append(row(of: day, person))
      report.totals += day.sums
    }
  }

  /// A row that begins with a date, and has no account yet.
  private func row(of day: BalanceDay, _ person: ReportedPerson) -> BalanceReportRow {
    BalanceReportRow(
      person: person, period: request.grouping.period(of: day.date), sums: day.sums, carried: nil)
  }
}
