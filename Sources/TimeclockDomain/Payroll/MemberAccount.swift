/// A member's account at an instant, and the current week.
package struct MemberAccount: Sendable {
  /// The last date that is over for the member.
  package var countedThrough: LocalDate
  /// The account after that date, in seconds; 0 before the first date of a schedule.
  package var balance: Int64
  /// The paid seconds of the current week, up to the instant.
  package var weekPaid: Int64
  /// The seconds that the member owes on all dates of the current week.
  package var weekTarget: Int64
  /// The use of this year's entitlement to vacation; nil without one.
  package var vacation: EntitlementYear?
  /// The marks on the member's time; nil before they are looked up.
  package var period: PeriodState?
}

/// Adds up a member's account.
package struct AccountCalculation: Sendable {
  private let facts: BalanceFacts
  private let schedule: Schedule
  private let zone: Zone
  private let user: UserKey
  private let asOf: Instant
  /// The date of the instant.
  package let today: LocalDate
  /// The entitlement to vacation in the year of `today`; nil for none.
  package var entitlement: EntitlementRow?
  private let week: (first: LocalDate, last: LocalDate)
  /// The work that counts.
  package let paid: PaidSeconds

  /// - Parameters:
  ///   - rules: Those about breaks and weeks count.
  ///   - asOf: The instant up to which work counts, and at which dates are over or not.
  package init(
    _ facts: BalanceFacts, of user: UserKey, in zone: Zone, by rules: PayRulesCalendar, asOf: Instant
  ) {
    self.facts = facts
    self.user = user
    self.asOf = asOf
    self.zone = zone
    schedule = facts.schedules[user] ?? Schedule(rows: [], organizationZone: zone)
    today = schedule.date(of: asOf)
    week = rules.week(of: today)
    paid = PaidSeconds(
      by: [user: schedule], others: schedule, from: min(schedule.rows.first?.from ?? week.first, week.first),
      through: week.last, rules: rules, asOf: asOf)
  }

  /// The account.
  ///
  /// - Parameter time: The entries of the span of `paid`.
  package func account(of time: WorkedTime) -> MemberAccount {
    let paid = paid.byMember(in: time)[user] ?? []
    var account = MemberAccount(
      countedThrough: schedule.lastCountedDate(at: asOf), balance: 0,
      weekPaid: paid.lazy.filter { $0.date >= week.first }.reduce(0) { $0 + $1.seconds }, weekTarget: 0,
      vacation: entitlement.map { facts.use(of: $0, by: user, in: zone, asOf: asOf) })
    guard let balance = facts.balance(of: user, paid: paid) else { return account }
    account.balance = balance.account(through: account.countedThrough).balance
    account.weekTarget = balance.days(from: week.first, through: week.last).reduce(0) { $0 + $1.sums.target }
    return account
  }
}
