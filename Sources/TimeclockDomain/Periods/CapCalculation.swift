/// Finds out by how much a member's account is beyond the caps of the policy at the end of locked dates.
package struct CapCalculation: Sendable {
  private let facts: BalanceFacts
  private let user: UserKey
  private let through: LocalDate
  private let caps: (above: Int64?, below: Int64?)
  /// The work that counts.
  package let paid: PaidSeconds

  /// - Parameters:
  ///   - facts: Those of the member.
  ///   - through: The last date of the account.
  ///   - policy: Its caps count.
  ///   - rules: Those about breaks count.
  ///   - asOf: The time of the lock.
  /// - Returns: Nil if no cap is set, or the member has no schedule by then, and so no account.
  package init?(
    _ facts: BalanceFacts, of user: UserKey, through: LocalDate, by policy: Policy,
    _ rules: PayRulesCalendar, asOf: Instant
  ) {
    guard policy.hasBalanceCap, let schedule = facts.schedules[user],
      let first = schedule.rows.first?.from, first <= through
    else { return nil }
    self.facts = facts
    self.user = user
    self.through = through
    caps = (policy.balanceCapAbove, policy.balanceCapBelow)
    paid = PaidSeconds(
      by: [user: schedule], others: schedule, from: first, through: through, rules: rules, asOf: asOf)
  }

  /// The seconds of the adjustments after which the account stands at the cap; none if it is not beyond one. They are
  /// several if one adjustment cannot hold them.
  ///
  /// - Parameter time: The entries of the span of `paid`.
  package func adjustments(in time: WorkedTime) -> [Int64] {
    let paid = paid.byMember(in: time)[user] ?? []
    let account = facts.balance(of: user, paid: paid)?.account(through: through).balance ?? 0
    var rest: Int64 = 0
    if let above = caps.above, account > above { rest = above - account }
    if let below = caps.below, account < below { rest = below - account }
    var adjustments: [Int64] = []
    let bounds = DatedSeconds.adjustmentBounds
    while rest != 0 {
      let next = min(max(rest, bounds.lowerBound), bounds.upperBound)
      adjustments.append(next)
      rest -= next
    }
    return adjustments
  }
}
