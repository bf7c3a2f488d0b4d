import Testing

@testable import TimeclockDomain

@Suite("Floored division")
struct FlooredDivisionTests {
  @Test(
    "rounds towards minus infinity, and the remainder is never negative",
    arguments: [
      (0, 0, 0), (6, 0, 6), (7, 1, 0), (8, 1, 1), (-1, -1, 6), (-6, -1, 1), (-7, -1, 0), (-8, -2, 6),
      (.max, .max / 7, Int.max % 7), (.min, .min / 7 - 1, Int.min % 7 + 7),
    ])
  func rounds(_ number: Int, _ quotient: Int, _ remainder: Int) {
    #expect(number.flooredQuotient(by: 7) == quotient)
    #expect(number.flooredRemainder(by: 7) == remainder)
  }

  @Test("weekdays and dates go on through the beginning of the count")
  func calendar() {
    // 1970-01-01 was a Thursday, 1600-01-01 a Saturday, 0000-03-01 a Wednesday.
    for (year, month, day, weekday) in [(1970, 1, 1, 4), (1969, 12, 31, 3), (1600, 1, 1, 6), (0, 3, 1, 3)] {
      let days = GregorianCalendar.daysSince1970(year: year, month: month, day: day)
      #expect(GregorianCalendar.weekday(daysSince1970: days) == weekday)
      #expect(GregorianCalendar.yearMonthDay(daysSince1970: days) == (year, month, day))
    }
    #expect(GregorianCalendar.daysSince1970(year: 0, month: 3, day: 1) == -719_468)
    #expect(GregorianCalendar.daysSince1970(year: 0, month: 2, day: 29) == -719_469)
    #expect(GregorianCalendar.yearMonthDay(daysSince1970: -719_469) == (0, 2, 29))
  }

  @Test("dates are read back as their days, in years that text can state and far beyond")
  func dates() {
    let first = -719_468
    let beyond = 1 << 28 + first
    let days = Array(stride(from: first - 400, to: 3_700_000, by: 97)) + (beyond - 400...beyond + 400)
    let wrong = days.filter { day in
      let date = GregorianCalendar.yearMonthDay(daysSince1970: day)
      return GregorianCalendar.daysSince1970(year: date.year, month: date.month, day: date.day) != day
        || !(1...12).contains(date.month)
        || !(1...GregorianCalendar.dayCount(month: date.month, year: date.year)).contains(date.day)
    }
    #expect(wrong.isEmpty)
  }
}
