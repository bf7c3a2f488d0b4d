import Testing
import TimeclockDomain

@Suite("Stretches of dates")
struct DayStretchTests {
  /// Each case: a zone, the first and the last date, and their stretches, by date and start.
  @Test(
    "are what the calendar on the wall shows",
    arguments: [
      (
        "UTC", "2026-11-20", "2026-11-21",
        ["2026-11-20 2026-11-20T00:00:00.000Z", "2026-11-21 2026-11-21T00:00:00.000Z"]
      ),
      ("Asia/Kathmandu", "2026-11-20", "2026-11-20", ["2026-11-20 2026-11-19T18:15:00.000Z"]),
      // Midnight is skipped, or comes twice.
      ("America/Sao_Paulo", "2018-11-04", "2018-11-04", ["2018-11-04 2018-11-04T03:00:00.000Z"]),
      ("America/Sao_Paulo", "2018-02-17", "2018-02-17", ["2018-02-17 2018-02-17T02:00:00.000Z"]),
      ("Asia/Beirut", "2026-10-24", "2026-10-24", ["2026-10-24 2026-10-23T21:00:00.000Z"]),
      ("America/Havana", "2026-11-01", "2026-11-01", ["2026-11-01 2026-11-01T04:00:00.000Z"]),
      // The date is shown for a minute, the one before comes back for 59, and then it stays.
      (
        "America/St_Johns", "2010-11-06", "2010-11-07",
        [
          "2010-11-06 2010-11-06T02:30:00.000Z", "2010-11-07 2010-11-07T02:30:00.000Z",
          "2010-11-06 2010-11-07T02:31:00.000Z", "2010-11-07 2010-11-07T03:30:00.000Z",
        ]
      ),
      (
        "America/St_Johns", "2010-11-06", "2010-11-06",
        ["2010-11-06 2010-11-06T02:30:00.000Z", "2010-11-06 2010-11-07T02:31:00.000Z"]
      ),
      // A date that was skipped has none.
      ("Pacific/Apia", "2011-12-30", "2011-12-30", []),
      (
        "Pacific/Apia", "2011-12-29", "2011-12-31",
        ["2011-12-29 2011-12-29T10:00:00.000Z", "2011-12-31 2011-12-30T10:00:00.000Z"]
      ),
      // A date that came twice is one stretch, of 47 hours.
      ("Pacific/Kwajalein", "1969-09-30", "1969-09-30", ["1969-09-30 1969-09-29T13:00:00.000Z"]),
      ("UTC", "2026-11-21", "2026-11-20", []),
    ] as [(String, String, String, [String])])
  func areWhatIsShown(_ name: String, _ first: String, _ last: String, _ expected: [String]) throws {
    let zone = try #require(SystemZones.zone(name))
    let from = try #require(LocalDate(iso8601: first))
    let through = try #require(LocalDate(iso8601: last))
    let stretches = zone.dayStretches(from: from, through: through)
    #expect(stretches.map { "\($0.date.iso8601) \($0.start.rfc3339)" } == expected)
  }

  @Test("of every zone show their date from their first millisecond to their last, and nowhere else")
  func areExact() throws {
    let ranges = [("1969-01-01", "1972-01-01"), ("2005-01-01", "2012-12-31"), ("2025-12-01", "2027-02-01")]
    for zone in SystemZones.distinctZones {
      for (first, last) in ranges {
        let from = try #require(LocalDate(iso8601: first))
        let through = try #require(LocalDate(iso8601: last))
        let stretches = zone.dayStretches(from: from, through: through)
        for stretch in stretches {
          let isExact =
            zone.localDate(at: stretch.start) == stretch.date
            && zone.localDate(at: stretch.end.adding(milliseconds: -1)) == stretch.date
            && zone.localDate(at: stretch.start.adding(milliseconds: -1)) != stretch.date
            && zone.localDate(at: stretch.end) != stretch.date
          if !isExact { Issue.record("\(zone.identifier.name) \(stretch)") }
        }
        for (one, next) in zip(stretches, stretches.dropFirst()) where one.end != next.start {
          // A gap between two belongs to a date outside, which is next to the range.
          let between = zone.localDate(at: one.end)
          if one.end > next.start || (from...through).contains(between) {
            Issue.record("\(zone.identifier.name): \(one) and \(next)")
          }
        }
      }
    }
  }

  /// Each case: a date, and its week.
  @Test(
    "weeks are ISO 8601's",
    arguments: [
      ("2026-01-01", 2026, 1), ("2025-12-29", 2026, 1), ("2025-12-28", 2025, 52), ("2026-12-31", 2026, 53),
      ("2027-01-03", 2026, 53), ("2027-01-04", 2027, 1), ("2020-12-31", 2020, 53), ("2021-01-03", 2020, 53),
      ("2024-12-30", 2025, 1), ("2024-02-29", 2024, 9), ("2016-01-01", 2015, 53), ("1900-01-01", 1900, 1),
      ("9999-12-31", 9999, 52), ("2022-01-01", 2021, 52), ("2005-01-01", 2004, 53),
    ])
  func weeks(_ text: String, _ year: Int, _ number: Int) throws {
    let date = try #require(LocalDate(iso8601: text))
    let week = ISOWeek(date)
    #expect(week.year == year && week.number == number)
  }

  @Test(
    "weekdays have ISO 8601's numbers",
    arguments: [
      ("2026-11-16", Weekday.monday), ("2026-11-21", .saturday), ("2026-11-22", .sunday),
      ("1900-01-01", .monday),
      ("1969-12-28", .sunday),
    ])
  func weekdays(_ text: String, _ weekday: Weekday) throws {
    let date = try #require(LocalDate(iso8601: text))
    #expect(date.weekday == weekday)
    #expect(Weekday(number: weekday.number) == weekday)
    for first in Weekday.allCases {
      let start = date.startOfWeek(beginning: first)
      #expect(start == .earliest || start.weekday == first)
      #expect((0...6).contains(date.daysSince1970 - start.daysSince1970))
    }
  }

  @Test("no other number is a weekday", arguments: [Int64.min, -1, 0, 8, .max])
  func noWeekday(_ number: Int64) {
    #expect(Weekday(number: number) == nil)
  }
}
