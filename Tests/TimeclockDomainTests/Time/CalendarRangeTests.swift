import Testing

@testable import TimeclockDomain

@Suite("Dates around today")
struct CalendarRangeTests {
  @Test(
    "are what the calendar on the wall shows",
    arguments: [
      (CalendarRange.today, Weekday.monday, "2026-11-20", "2026-11-20", "2026-11-20"),
      (.week, .monday, "2026-11-20", "2026-11-16", "2026-11-22"),
      (.week, .monday, "2026-11-22", "2026-11-16", "2026-11-22"),
      (.week, .sunday, "2026-11-22", "2026-11-22", "2026-11-28"),
      (.week, .saturday, "2027-01-01", "2026-12-26", "2027-01-01"),
      (.month, .monday, "2026-11-20", "2026-11-01", "2026-11-30"),
      (.month, .sunday, "2028-02-29", "2028-02-01", "2028-02-29"),
      (.yesterday, .monday, "2027-01-01", "2026-12-31", "2026-12-31"),
      (.thisWeek, .sunday, "2026-11-22", "2026-11-22", "2026-11-28"),
      (.lastWeek, .monday, "2026-11-22", "2026-11-09", "2026-11-15"),
      (.lastWeek, .sunday, "2026-11-22", "2026-11-15", "2026-11-21"),
      (.thisMonth, .monday, "2026-11-30", "2026-11-01", "2026-11-30"),
      (.lastMonth, .monday, "2026-03-31", "2026-02-01", "2026-02-28"),
      (.lastMonth, .monday, "2026-01-01", "2025-12-01", "2025-12-31"),
    ])
  func dates(
    _ range: CalendarRange, _ weekStart: Weekday, _ today: String, _ first: String, _ last: String
  ) throws {
    let rules = PayRulesCalendar(before: PayRules(weekStart: weekStart))
    let dates = range.dates(around: try #require(LocalDate(iso8601: today)), by: rules)
    #expect(dates.first.iso8601 == first)
    #expect(dates.last.iso8601 == last)
  }
}
