import Testing
import TimeclockDomain

@Suite("Pay periods")
struct PayPeriodTests {
  /// Each case: a period, the day on which weeks begin, a date, and the first and last date of its period.
  @Test(
    "hold the date that they are asked for",
    arguments: [
      (PayPeriod.weekly, Weekday.monday, "2026-11-21", "2026-11-16", "2026-11-22"),
      (.weekly, .monday, "2026-11-16", "2026-11-16", "2026-11-22"),
      (.weekly, .sunday, "2026-11-21", "2026-11-15", "2026-11-21"),
      (.weekly, .sunday, "2026-11-22", "2026-11-22", "2026-11-28"),
      (.weekly, .saturday, "2026-01-01", "2025-12-27", "2026-01-02"),
      // Counted from Monday, 1970-01-05.
      (.twoWeekly, .monday, "1970-01-05", "1970-01-05", "1970-01-18"),
      (.twoWeekly, .monday, "1970-01-18", "1970-01-05", "1970-01-18"),
      (.twoWeekly, .monday, "1970-01-19", "1970-01-19", "1970-02-01"),
      (.twoWeekly, .monday, "1970-01-04", "1969-12-22", "1970-01-04"),
      (.twoWeekly, .thursday, "1970-01-01", "1970-01-01", "1970-01-14"),
      (.twoWeekly, .wednesday, "1970-01-07", "1970-01-07", "1970-01-20"),
      (.twoWeekly, .monday, "2026-11-21", "2026-11-09", "2026-11-22"),
      (.halfMonthly, .monday, "2026-11-15", "2026-11-01", "2026-11-15"),
      (.halfMonthly, .monday, "2026-11-16", "2026-11-16", "2026-11-30"),
      (.halfMonthly, .monday, "2024-02-29", "2024-02-16", "2024-02-29"),
      (.halfMonthly, .monday, "2026-02-16", "2026-02-16", "2026-02-28"),
      (.monthly, .sunday, "2024-02-29", "2024-02-01", "2024-02-29"),
      (.monthly, .sunday, "2026-12-31", "2026-12-01", "2026-12-31"),
      (.monthly, .sunday, "9999-12-31", "9999-12-01", "9999-12-31"),
      // The calendar ends there.
      (.weekly, .monday, "9999-12-31", "9999-12-27", "9999-12-31"),
      (.weekly, .tuesday, "1900-01-01", "1900-01-01", "1900-01-07"),
    ])
  func hold(
    _ period: PayPeriod, _ weekStart: Weekday, _ text: String, _ first: String, _ last: String
  ) throws {
    let date = try #require(LocalDate(iso8601: text))
    let dates = period.dates(around: date, weekStart: weekStart)
    #expect(dates.first.iso8601 == first)
    #expect(dates.last.iso8601 == last)
  }
}
