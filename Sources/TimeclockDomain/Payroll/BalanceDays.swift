/// One date of a member, with its sums.
package struct BalanceDay: Hashable, Sendable {
  package var date: LocalDate
  package var sums: DaySums
}

/// A walk through the dates of one member in their order.
///
/// A date that lasts no time, as one that the zone skipped, has its plan as any other.
///
/// All that it reads is sorted by date, so from one date to the next it searches for nothing and allocates nothing.
package struct BalanceDays: Sequence, IteratorProtocol {
  private let balance: MemberBalance
  private var absences: AbsencesCursor
  private var paid: DatedSecondsCursor
  private var adjustments: DatedSecondsCursor
  /// Nil until the first date.
  private var planned: PlannedDays?
  /// The next date, in days since 1970, and the last one.
  private var day: Int32
  private let lastDay: Int32
  /// The place of the row that comes next, and the day from which it is in force.
  private var nextRow: Int
  private var nextRowDay: Int32

  /// - Parameter absences: Those that count, by their first dates.
  init(_ balance: MemberBalance, absences: [AbsenceRow], from first: LocalDate, through last: LocalDate) {
    self.balance = balance
    let scheduled = balance.schedule.rows.first?.from ?? first
    let start = first < scheduled ? scheduled : first
    self.absences = AbsencesCursor(absences)
    paid = DatedSecondsCursor(balance.paid, from: start)
    adjustments = DatedSecondsCursor(balance.adjustments, from: start)
    day = start.daysSince1970
    nextRowDay = day
    let row = balance.schedule.place(ofDay: Int64(day))
    nextRow = row ?? 0
    // Without a row there is no date.
    lastDay = row == nil ? day - 1 : last.daysSince1970
  }

  package mutating func next() -> BalanceDay? {
    guard day <= lastDay else { return nil }
    let date = LocalDate(daysSince1970: day)
    while nextRowDay <= day { enterRow(on: date) }
    day += 1
    absences.move(to: date)
    let plan = planned?.next(on: date) ?? (seconds: 0, holidayPercent: 0)
    let sums = DaySums(
      planned: plan.seconds, holidayPercent: plan.holidayPercent, absences: absences.current,
      paid: paid.seconds(on: date), adjustment: adjustments.seconds(on: date))
    return BalanceDay(date: date, sums: sums)
  }

  private mutating func enterRow(on date: LocalDate) {
    let rows = balance.schedule.rows
    let holidays = rows[nextRow].calendar.flatMap { balance.holidays[$0] } ?? Holidays()
    planned = PlannedDays(rows[nextRow], holidays, from: date)
    nextRow += 1
    nextRowDay = nextRow < rows.count ? rows[nextRow].from.daysSince1970 : .max
  }
}
