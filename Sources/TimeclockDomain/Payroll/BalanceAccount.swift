/// A member's account: the balances of all dates from the first one with a schedule through a certain one.
package struct BalanceAccount: Hashable, Sendable {
  /// Seconds; negative if the member owes work.
  package private(set) var balance: Int64
  /// The last date that is counted; nil if none is.
  package private(set) var countedThrough: LocalDate?

  /// An account without a date, or one as it stood after a date.
  package init(balance: Int64 = 0, countedThrough: LocalDate? = nil) {
    self.balance = balance
    self.countedThrough = countedThrough
  }

  /// Counts a date, which comes after those that are counted.
  package mutating func count(_ day: BalanceDay) {
    balance += day.sums.balance
    countedThrough = day.date
  }
}

extension MemberBalance {
  /// The account after a date.
  ///
  /// - Parameter last: The date to count through; those that are not over yet would cost their target.
  package func account(through last: LocalDate) -> BalanceAccount {
    var account = BalanceAccount()
    guard let first = schedule.rows.first?.from else { return account }
    for day in days(from: first, through: last) { account.count(day) }
    return account
  }
}
