import Testing
import TimeclockDomain

@Suite("Local dates")
struct LocalDateTests {
  @Test("every day from 1900 to 2200 is what counting by hand says, and is read back")
  func countsEveryDay() throws {
    var expected = (year: 1900, month: 1, day: 1)
    var date = LocalDate.earliest
    while expected.year <= 2200 {
      let parts = date.yearMonthDay
      let text = date.iso8601
      if parts != expected || LocalDate(year: parts.year, month: parts.month, day: parts.day) != date
        || LocalDate(iso8601: text) != date || text != dashed(expected)
      {
        Issue.record("\(expected) is \(parts), \(text)")
        return
      }
      let next = date.adding(days: 1)
      guard next > date else { throw Failure.notAscending }
      date = next
      expected = dayAfter(expected)
    }
    #expect(date.iso8601 == "2201-01-01")
  }

  private enum Failure: Error { case notAscending }

  /// The rule as schools teach it, so that it shares nothing with the tested code.
  private func dayAfter(_ date: (year: Int, month: Int, day: Int)) -> (year: Int, month: Int, day: Int) {
    let isCentury = date.year.isMultiple(of: 100)
    let isLeap = isCentury ? date.year.isMultiple(of: 400) : date.year.isMultiple(of: 4)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if date.day < lengths[date.month - 1] { return (date.year, date.month, date.day + 1) }
    return date.month == 12 ? (date.year + 1, 1, 1) : (date.year, date.month + 1, 1)
  }

  private func dashed(_ date: (year: Int, month: Int, day: Int)) -> String {
    let month = date.month < 10 ? "0\(date.month)" : "\(date.month)"
    let day = date.day < 10 ? "0\(date.day)" : "\(date.day)"
    return "\(date.year)-\(month)-\(day)"
  }

  @Test(
    "days that the calendar has are dates",
    arguments: [
      (1900, 1, 1, -25_567), (1969, 12, 31, -1), (1970, 1, 1, 0), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017),
      (2024, 2, 29, 19_782), (2026, 11, 20, 20_777), (2400, 2, 29, 157_113), (9999, 12, 31, 2_932_896),
    ] as [(Int, Int, Int, Int32)])
  func acceptsDates(_ year: Int, _ month: Int, _ day: Int, _ days: Int32) {
    let date = LocalDate(year: year, month: month, day: day)
    #expect(date?.daysSince1970 == days)
    #expect(date?.year == year)
    #expect(date?.month == month)
    #expect(date?.day == day)
  }

  @Test(
    "days that the calendar has not are none",
    arguments: [
      (1899, 12, 31), (10_000, 1, 1), (0, 1, 1), (-1, 1, 1), (2026, 0, 1), (2026, 13, 1), (2026, -1, 1),
      (2026, 1, 0), (2026, 1, -1), (2026, 1, 32), (2026, 4, 31), (2026, 6, 31), (2026, 9, 31), (2026, 11, 31),
      (2025, 2, 29), (1900, 2, 29), (2100, 2, 29), (2000, 2, 30), (.max, .max, .max), (.min, .min, .min),
      (2026, .max, 1), (2026, 1, .max),
    ])
  func refusesDates(_ year: Int, _ month: Int, _ day: Int) {
    #expect(LocalDate(year: year, month: month, day: day) == nil)
  }

  @Test("YYYY-MM-DD is read", arguments: ["1900-01-01", "2000-02-29", "2026-11-20", "9999-12-31"])
  func readsText(_ text: String) {
    #expect(LocalDate(iso8601: text)?.iso8601 == text)
    #expect(LocalDate(iso8601: Array(text.utf8))?.iso8601 == text)
  }

  @Test(
    "other text is refused",
    arguments: [
      "", "2026", "2026-11", "2026-11-2", "2026-1-20", "26-11-20", "02026-11-20", "2026-11-200",
      "2026-11-20 ",
      " 2026-11-20", "2026-11-20T", "2026/11/20", "20261120", "2026-W47-5", "2026-324", "+026-11-20",
      "-026-11-20", "2026--1-20", "2026-+1-20", "2026-11-+5", "2026-11- 5", "2026-11-31", "2025-02-29",
      "1900-02-29", "2100-02-29", "1899-12-31", "0000-01-01", "10000-01-01", "2026-00-10", "2026-13-10",
      "2026-11-00", "2026-11-2\u{FF10}", "202\u{FF16}-11-20", "2026\u{2013}11\u{2013}20", "2026-11-2\u{A0}",
      "2026-11-20\n", "2026-11-20\0", "2026-11-2O", "\u{FF12}-11-20", "\u{FEFF}2026-11-20",
    ])
  func refusesText(_ text: String) {
    #expect(LocalDate(iso8601: text) == nil)
    #expect(LocalDate(iso8601: Array(text.utf8)) == nil)
  }

  @Test("numbers and sums outside the range stop at its ends")
  func saturates() {
    #expect(LocalDate(daysSince1970: .min) == .earliest)
    #expect(LocalDate(daysSince1970: .max) == .latest)
    #expect(LocalDate.earliest.iso8601 == "1900-01-01")
    #expect(LocalDate.latest.iso8601 == "9999-12-31")
    #expect(LocalDate.earliest.adding(days: -1) == .earliest)
    #expect(LocalDate.latest.adding(days: 1) == .latest)
    #expect(LocalDate.latest.adding(days: .max) == .latest)
    #expect(LocalDate.latest.adding(days: .min) == .earliest)
    #expect(LocalDate.earliest.adding(days: .min) == .earliest)
    #expect(LocalDate(daysSince1970: 5).adding(days: -7) == LocalDate(daysSince1970: -2))
  }

  @Test("a date appends itself to what is there")
  func appends() {
    var bytes = Array("on ".utf8)
    LocalDate(daysSince1970: 0).appendISO8601(to: &bytes)
    #expect(bytes == Array("on 1970-01-01".utf8))
  }
}
