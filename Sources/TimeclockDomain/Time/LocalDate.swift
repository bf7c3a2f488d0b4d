/// A date of the proleptic Gregorian calendar, without a zone, from 1900-01-01 to 9999-12-31.
package struct LocalDate: Hashable, Sendable {
  /// Days since 1970-01-01; negative before.
  package let daysSince1970: Int32

  /// The date this many days after 1970-01-01, or the nearer of `earliest` and `latest` when it lies outside.
  package init(daysSince1970: Int32) {
    self.daysSince1970 = min(max(daysSince1970, Self.firstDay), Self.lastDay)
  }

  /// A date by its parts; nil when the calendar has no such day or the year is not 1900 to 9999.
  package init?(year: Int, month: Int, day: Int) {
    guard year >= 1900, year <= 9999, day >= 1,
      day <= GregorianCalendar.dayCount(month: month, year: year)
    else { return nil }
    let days = GregorianCalendar.daysSince1970(year: year, month: month, day: day)
    self.init(daysSince1970: Int32(truncatingIfNeeded: days))
  }

  private static let firstDay: Int32 = -25_567
  private static let lastDay: Int32 = 2_932_896

  /// 1900-01-01.
  package static let earliest = LocalDate(daysSince1970: firstDay)

  /// 9999-12-31.
  package static let latest = LocalDate(daysSince1970: lastDay)

  /// The year, the month from 1 to 12 and the day from 1 to 31.
  package var yearMonthDay: (year: Int, month: Int, day: Int) {
    GregorianCalendar.yearMonthDay(daysSince1970: Int(daysSince1970))
  }

  /// The year, 1900 to 9999.
  package var year: Int { yearMonthDay.year }

  /// The month, 1 to 12.
  package var month: Int { yearMonthDay.month }

  /// The day of the month, 1 to 31.
  package var day: Int { yearMonthDay.day }

  /// The date this many days later (earlier when negative); stops at `earliest` and `latest`.
  package func adding(days: Int) -> LocalDate {
    let (sum, overflow) = Int(daysSince1970).addingReportingOverflow(days)
    guard !overflow else { return days < 0 ? .earliest : .latest }
    return LocalDate(daysSince1970: Int32(clamping: sum))
  }
}

extension Instant {
  /// The date in UTC, within the range of `LocalDate`.
  package var utcDate: LocalDate {
    LocalDate(daysSince1970: Int32(clamping: millisecondsSince1970.flooredQuotient(by: 86_400_000)))
  }
}

extension LocalDate: Comparable {
  /// Whether the left date comes first.
  package static func < (left: LocalDate, right: LocalDate) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }
}
