/// Dates around today, as the calendar on the wall has them.
package enum CalendarRange: String, CaseIterable, Sendable {
  case today
  case yesterday
  /// All seven days of the week that today lies in, as `thisWeek`.
  case week
  /// All days of the month that today lies in, as `thisMonth`.
  case month
  case thisWeek
  /// All seven days of the week before.
  case lastWeek
  case thisMonth
  /// All days of the month before.
  case lastMonth

  /// The first and the last date, cut off at the ends of the calendar.
  ///
  /// - Parameter rules: Say on which day weeks begin.
  package func dates(around today: LocalDate, by rules: PayRulesCalendar) -> (
    first: LocalDate, last: LocalDate
  ) {
    period.dates(around: date(from: today), by: rules)
  }

  /// How long the range is.
  package var period: HistoryPeriod {
    switch self {
    case .today, .yesterday: .day
    case .week, .thisWeek, .lastWeek: .week
    case .month, .thisMonth, .lastMonth: .month
    }
  }

  /// A date in the range, cut off at the beginning of the calendar.
  package func date(from today: LocalDate) -> LocalDate {
    switch self {
    case .today, .week, .month, .thisWeek, .thisMonth: today
    case .yesterday: today.adding(days: -1)
    case .lastWeek: today.adding(days: -7)
    case .lastMonth: today.startOfMonth.adding(days: -1)
    }
  }
}

/// The dates that a client asks for: stated ones, an end left out being open, or a range around today.
package struct RequestedDates: Sendable {
  package var first: LocalDate?
  package var last: LocalDate?
  /// Counts instead of both.
  package var range: CalendarRange?

  package init(from first: LocalDate? = nil, through last: LocalDate? = nil) {
    (self.first, self.last) = (first, last)
  }

  package init(_ range: CalendarRange) {
    self.range = range
  }
}
