/// Dates around today, as the calendar on the wall has them.
package enum CalendarRange: String, CaseIterable, Sendable {
  case today
  /// All seven days of the week that today lies in.
  case week
  /// All days of the month that today lies in.
  case month

  /// The first and the last date, cut off at the ends of the calendar.
  ///
  /// - Parameter weekStart: The day on which weeks begin.
  package func dates(around today: LocalDate, weekStart: Weekday) -> (first: LocalDate, last: LocalDate) {
    switch self {
    case .today: (today, today)
    case .week: PayPeriod.weekly.dates(around: today, weekStart: weekStart)
    case .month: PayPeriod.monthly.dates(around: today, weekStart: weekStart)
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
