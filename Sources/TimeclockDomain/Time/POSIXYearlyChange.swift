/// One of the two yearly changes of a `TZ` string: a day and a time on it.
struct POSIXYearlyChange: Equatable, Sendable {
  var day: Day
  /// Seconds after that day's midnight, from -167 to 167 hours and 59:59 (RFC 9636, section 3.3.1).
  var time: Int32

  enum Day: Equatable, Sendable {
    /// `Jn`: day 1 to 365 of the year; February 29 is never counted.
    case withoutLeapDay(Int)
    /// `n`: day 0 to 365 of the year, counting February 29.
    case withLeapDay(Int)
    /// `Mm.w.d`: in a month, the first to fourth, or with 5 the last, of a weekday (0 is Sunday).
    case weekday(month: Int, week: Int, weekday: Int)
  }

  /// The change in seconds since 1970-01-01T00:00:00 on the local clock.
  func localSeconds(year: Int) -> Int64 {
    Int64(daysSince1970(year: year)) * 86_400 + Int64(time)
  }

  private func daysSince1970(year: Int) -> Int {
    switch day {
    case .withoutLeapDay(let number):
      let isAfterLeapDay = number >= 60 && GregorianCalendar.isLeapYear(year)
      return firstDay(year: year) + number - (isAfterLeapDay ? 0 : 1)
    case .withLeapDay(let number):
      return firstDay(year: year) + number
    case .weekday(let month, let week, let weekday):
      return Self.daysSince1970(year: year, month: month, week: week, weekday: weekday)
    }
  }

  private func firstDay(year: Int) -> Int {
    GregorianCalendar.daysSince1970(year: year, month: 1, day: 1)
  }

  private static func daysSince1970(year: Int, month: Int, week: Int, weekday: Int) -> Int {
    let first = GregorianCalendar.daysSince1970(year: year, month: month, day: 1)
    let daysToWeekday = (weekday - GregorianCalendar.weekday(daysSince1970: first) + 7) % 7
    let offset = daysToWeekday + (week - 1) * 7
    // Week 5 means the last, which is the fourth in a month that has no fifth.
    let isInMonth = offset < GregorianCalendar.dayCount(month: month, year: year)
    return first + (isInMonth ? offset : offset - 7)
  }
}
