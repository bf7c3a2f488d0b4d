/// The length of the time that people are paid for at once.
package enum PayPeriod: String, CaseIterable, Sendable {
  case weekly
  case twoWeekly = "two-weekly"
  case halfMonthly = "half-monthly"
  case monthly

  /// The first and the last date of the period that a date lies in. Weeks, and pairs of them, are cut short where weeks
  /// come to begin on another day.
  ///
  /// - Parameter rules: Say on which day weeks begin.
  package func dates(
    around date: LocalDate, by rules: PayRulesCalendar
  ) -> (first: LocalDate, last: LocalDate) {
    let dates = dates(around: date, weekStart: rules[date].weekStart)
    switch self {
    case .weekly, .twoWeekly:
      let same = rules.datesOfWeekStart(around: date)
      return (max(dates.first, same.lowerBound), min(dates.last, same.upperBound))
    case .halfMonthly, .monthly: return dates
    }
  }

  /// The first and the last date of the period that a date lies in, cut off at the ends of the calendar.
  ///
  /// Periods of two weeks are counted from the first `weekStart` on or after 1970-01-01.
  ///
  /// - Parameter weekStart: The day on which weeks begin.
  package func dates(around date: LocalDate, weekStart: Weekday) -> (first: LocalDate, last: LocalDate) {
    switch self {
    case .weekly:
      let first = date.startOfWeek(beginning: weekStart)
      return (first, first.adding(days: 6))
    case .twoWeekly:
      let origin = LocalDate(daysSince1970: 6).startOfWeek(beginning: weekStart)
      let days = Int(date.daysSince1970 - origin.daysSince1970)
      let first = date.adding(days: -days.flooredRemainder(by: 14))
      return (first, first.adding(days: 13))
    case .halfMonthly where date.day <= 15:
      return (date.startOfMonth, date.startOfMonth.adding(days: 14))
    case .halfMonthly:
      return (date.startOfMonth.adding(days: 15), date.endOfMonth)
    case .monthly:
      return (date.startOfMonth, date.endOfMonth)
    }
  }
}
