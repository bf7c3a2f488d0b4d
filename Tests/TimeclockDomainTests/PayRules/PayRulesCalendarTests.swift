import Testing

@testable import TimeclockDomain

@Suite("Pay rules of dates")
struct PayRulesCalendarTests {
  private static func date(_ text: String) throws -> LocalDate { try #require(LocalDate(iso8601: text)) }

  /// Weeks from Monday, from Monday, 16 November 2026 on with other limits, and from Thursday, 26 November, from that day.
  private static func calendar() throws -> PayRulesCalendar {
    PayRulesCalendar(
      before: PayRules(dailyOvertimeSeconds: 1),
      then: [
        try date("2026-11-26"): PayRules(weeklyOvertimeSeconds: 3, weekStart: .thursday),
        try date("2026-11-16"): PayRules(dailyOvertimeSeconds: 2, weeklyOvertimeSeconds: 2),
      ])
  }

  /// Each case: a date, the overtime of its rules, and the first and the last date of its week and its two weeks.
  @Test(
    "are those with the latest first date, and before all of them the policy's",
    arguments: [
      ("1900-01-01", 1, nil, ("1900-01-01", "1900-01-07"), ("1900-01-01", "1900-01-14")),
      ("2026-11-15", 1, nil, ("2026-11-09", "2026-11-15"), ("2026-11-09", "2026-11-22")),
      ("2026-11-16", 2, 2, ("2026-11-16", "2026-11-22"), ("2026-11-09", "2026-11-22")),
      ("2026-11-25", 2, 2, ("2026-11-23", "2026-11-25"), ("2026-11-23", "2026-11-25")),
      ("2026-11-26", nil, 3, ("2026-11-26", "2026-12-02"), ("2026-11-26", "2026-12-02")),
      ("2026-12-03", nil, 3, ("2026-12-03", "2026-12-09"), ("2026-12-03", "2026-12-16")),
      ("9999-12-31", nil, 3, ("9999-12-30", "9999-12-31"), ("9999-12-23", "9999-12-31")),
    ] as [(String, Int64?, Int64?, (String, String), (String, String))])
  func ofDate(
    _ text: String, _ daily: Int64?, _ weekly: Int64?, _ week: (String, String), _ pair: (String, String)
  ) throws {
    let calendar = try Self.calendar()
    let date = try Self.date(text)
    let rules = calendar[date]
    #expect(rules.dailyOvertimeSeconds == daily && rules.weeklyOvertimeSeconds == weekly)
    #expect(calendar.rules { date } == rules)
    let dates = calendar.week(of: date)
    #expect((dates.first.iso8601, dates.last.iso8601) == week)
    let two = PayPeriod.twoWeekly.dates(around: date, by: calendar)
    #expect((two.first.iso8601, two.last.iso8601) == pair)
    #expect(calendar.firstDate(neededBy: date) == (weekly == nil ? date : dates.first))
    #expect(
      PayPeriod.monthly.dates(around: date, by: calendar)
        == PayPeriod.monthly.dates(around: date, weekStart: .monday))
  }

  @Test("have the same week for each of its dates, and weeks follow one another")
  func weeks() throws {
    let calendar = try Self.calendar()
    for period in [PayPeriod.weekly, .twoWeekly] {
      var date = period.dates(around: try Self.date("2026-11-02"), by: calendar).first
      while date < (try Self.date("2027-01-04")) {
        let dates = period.dates(around: date, by: calendar)
        #expect(dates.first == date, "\(period)")
        for day in dates.first.daysSince1970...dates.last.daysSince1970 {
          #expect(period.dates(around: LocalDate(daysSince1970: day), by: calendar) == dates)
        }
        date = dates.last.adding(days: 1)
      }
    }
  }

  /// Each case: the first dates of rules before and after a change, with their daily overtime, and the first date that differs.
  @Test(
    "differ from the first date on that has others",
    arguments: [
      ([:], [:], nil), ([:], ["2026-11-16": 0], "2026-11-16"), (["2026-11-16": 0], [:], "2026-11-16"),
      // The policy says the same.
      ([:], ["2026-11-16": 1], nil),
      (["2026-11-16": 2], ["2026-11-16": 3], "2026-11-16"),
      (["2026-11-16": 2], ["2026-11-23": 2], "2026-11-16"),
      (["2026-11-16": 2, "2026-11-23": 2], ["2026-11-16": 2], nil),
      (["2026-11-16": 2, "2026-11-23": 3], ["2026-11-16": 2, "2026-11-30": 3], "2026-11-23"),
    ] as [([String: Int64], [String: Int64], String?)])
  func difference(_ before: [String: Int64], _ after: [String: Int64], _ first: String?) throws {
    func calendar(_ rows: [String: Int64], policy: Int64 = 1) throws -> PayRulesCalendar {
      PayRulesCalendar(
        before: PayRules(dailyOvertimeSeconds: policy),
        then: Dictionary(
          uniqueKeysWithValues: try rows.map {
            (try Self.date($0.key), PayRules(dailyOvertimeSeconds: $0.value))
          }))
    }
    let found = try calendar(before).firstDifference(from: try calendar(after))
    #expect(found?.iso8601 == first)
    #expect(try calendar(after).firstDifference(from: try calendar(before)) == found)
    #expect(try calendar(before).firstDifference(from: try calendar(before, policy: 2)) == .earliest)
  }

  @Test("begin on a date on which their weeks do")
  func begin() throws {
    var record = DatedPayRules(
      head: Head(
        id: PayRulesID(high: 1, low: 2), organizationID: OrganizationID(high: 3, low: 4), at: .earliest))
    record.from = try Self.date("2026-11-16")
    try record.validate()
    record.weekStart = .sunday
    #expect {
      try record.validate()
    } throws: { error in
      guard case TimeclockError.invalidPolicy("from", _) = error else { return false }
      return true
    }
    record.from = try Self.date("2026-11-15")
    try record.validate()
    #expect(record.rules == PayRules(weekStart: .sunday))
  }

  @Test("have no overtime where it is left out, and the same breaks and weeks")
  func withoutOvertime() throws {
    let calendar = try Self.calendar().withoutOvertime
    for text in ["2026-11-15", "2026-11-16", "2026-11-26"] {
      let date = try Self.date(text)
      var rules = try Self.calendar()[date]
      (rules.dailyOvertimeSeconds, rules.weeklyOvertimeSeconds) = (nil, nil)
      #expect(calendar[date] == rules)
    }
    #expect(!calendar.hasOvertime)
    #expect(try Self.calendar().hasOvertime)
  }
}
