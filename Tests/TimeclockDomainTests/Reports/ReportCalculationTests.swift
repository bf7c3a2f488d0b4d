import Testing

@testable import TimeclockDomain

@Suite("Hours of a report")
struct ReportCalculationTests {
  /// Entries of one member, a range, and the seconds that its dates get.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var zone: String
    var attribution = ReportAttribution.split
    var range: (String, String)
    /// Starts and ends; nil is still running.
    var entries: [(String, String?)]
    var expected: [String: Int64]
  }

  private static let cases = [
    Case(
      testDescription: "a night shift through the autumn clock change lasts nine hours",
      zone: "Europe/Berlin",
      range: ("2026-10-24", "2026-10-25"),
      entries: [("2026-10-24T22:00:00+02:00", "2026-10-25T06:00:00+01:00")],
      expected: ["2026-10-24": 7_200, "2026-10-25": 25_200]),
    Case(
      testDescription: "a night shift through the spring clock change lasts seven", zone: "Europe/Berlin",
      range: ("2026-03-28", "2026-03-29"),
      entries: [("2026-03-28T22:00:00+01:00", "2026-03-29T06:00:00+02:00")],
      expected: ["2026-03-28": 7_200, "2026-03-29": 18_000]),
    Case(
      testDescription: "half an hour is skipped on Lord Howe", zone: "Australia/Lord_Howe",
      range: ("2026-10-03", "2026-10-04"),
      entries: [("2026-10-03T00:00:00+10:30", "2026-10-05T00:00:00+11:00")],
      expected: ["2026-10-03": 86_400, "2026-10-04": 84_600]),
    Case(
      testDescription: "half an hour comes twice on Lord Howe", zone: "Australia/Lord_Howe",
      range: ("2026-04-05", "2026-04-05"), entries: [("2026-04-04T12:00:00Z", "2026-04-06T12:00:00Z")],
      expected: ["2026-04-05": 88_200]),
    Case(
      testDescription: "the minute before a date comes back is the next one's", zone: "America/St_Johns",
      range: ("2010-11-06", "2010-11-07"), entries: [("2010-11-07T02:00:00Z", "2010-11-07T04:00:00Z")],
      // 30 minutes and 59 come back, one minute and 30.
      expected: ["2010-11-06": 89 * 60, "2010-11-07": 31 * 60]),
    Case(
      testDescription: "milliseconds of a date that comes back are cut once", zone: "America/St_Johns",
      range: ("2010-11-06", "2010-11-06"),
      entries: [("2010-11-07T02:29:59.500Z", "2010-11-07T02:31:00.500Z")],
      expected: ["2010-11-06": 1]),
    Case(
      testDescription: "Samoa had no 30 December 2011", zone: "Pacific/Apia",
      range: ("2011-12-29", "2011-12-31"),
      entries: [("2011-12-29T22:00:00-10:00", "2011-12-31T02:00:00+14:00")],
      expected: ["2011-12-29": 7_200, "2011-12-31": 7_200]),
    Case(
      testDescription: "nothing was worked on it", zone: "Pacific/Apia", range: ("2011-12-30", "2011-12-30"),
      entries: [("2011-12-29T22:00:00-10:00", "2011-12-31T02:00:00+14:00")], expected: [:]),
    Case(
      testDescription: "new year's night", zone: "Asia/Kathmandu", range: ("2026-12-31", "2027-01-01"),
      entries: [("2026-12-31T20:00:00+05:45", "2027-01-01T04:00:00+05:45")],
      expected: ["2026-12-31": 14_400, "2027-01-01": 14_400]),
    Case(
      testDescription: "29 February", zone: "UTC", range: ("2024-02-29", "2024-02-29"),
      entries: [("2024-02-28T23:00:00Z", "2024-03-01T01:00:00Z")], expected: ["2024-02-29": 86_400]),
    Case(
      testDescription: "each part is cut, not each sum", zone: "UTC", range: ("2026-11-19", "2026-11-20"),
      entries: [
        ("2026-11-19T08:00:00.000Z", "2026-11-19T08:00:01.999Z"),
        ("2026-11-19T09:00:00.001Z", "2026-11-19T09:00:02.000Z"),
        ("2026-11-19T23:59:59.001Z", "2026-11-20T00:00:00.999Z"),
      ],
      expected: ["2026-11-19": 2, "2026-11-20": 0]),
    Case(
      testDescription: "what lies outside of the range does not count", zone: "UTC",
      range: ("2026-11-20", "2026-11-20"),
      entries: [
        ("2026-11-19T22:00:00Z", "2026-11-20T02:00:00Z"), ("2026-11-20T22:00:00Z", "2026-11-21T03:00:00Z"),
      ],
      expected: ["2026-11-20": 4 * 3_600]),
    Case(
      testDescription: "whole entries count for their start", zone: "UTC", attribution: .start,
      range: ("2026-11-20", "2026-11-20"),
      entries: [
        ("2026-11-19T22:00:00Z", "2026-11-20T02:00:00Z"), ("2026-11-20T22:00:00Z", "2026-11-21T03:00:00Z"),
      ],
      expected: ["2026-11-20": 5 * 3_600]),
    Case(
      testDescription: "whole entries count for their end", zone: "UTC", attribution: .end,
      range: ("2026-11-20", "2026-11-20"),
      entries: [
        ("2026-11-19T22:00:00Z", "2026-11-20T02:00:00Z"), ("2026-11-20T22:00:00Z", "2026-11-21T03:00:00Z"),
      ],
      expected: ["2026-11-20": 4 * 3_600]),
    Case(
      testDescription: "an end at midnight is the next date's", zone: "UTC", attribution: .end,
      range: ("2026-11-20", "2026-11-20"), entries: [("2026-11-19T22:00:00Z", "2026-11-20T00:00:00Z")],
      expected: ["2026-11-20": 7_200]),
    Case(
      testDescription: "an active entry counts to the report's time", zone: "UTC",
      range: ("2026-11-19", "2026-11-21"),
      entries: [("2026-11-19T23:00:00Z", nil)], expected: ["2026-11-19": 3_600, "2026-11-20": 43_200]),
    Case(
      testDescription: "an active entry that begins after the report's time does not", zone: "UTC",
      range: ("2026-11-19", "2026-11-21"), entries: [("2026-11-20T12:00:00Z", nil)], expected: [:]),
  ]

  @Test("go to the dates on which they were worked", arguments: cases)
  func dates(_ given: Case) throws {
    let report = try report(given)
    var seconds: [String: Int64] = [:]
    for row in report.rows {
      guard case .day(let date) = row.dimensions[0] else { continue }
      seconds[date.iso8601] = row.figures.seconds
    }
    #expect(seconds == given.expected)
    #expect(report.totals.seconds == given.expected.values.reduce(0, +))
  }

  /// In the middle of 2026-11-20.
  private static let asOf = "2026-11-20T12:00:00Z"

  private func report(
    _ given: Case, by dimensions: [ReportDimension] = [.day], rules: PayRulesCalendar = .standard
  ) throws -> (rows: [ReportRow], totals: ReportFigures) {
    let zone = try #require(SystemZones.zone(given.zone))
    let first = try #require(LocalDate(iso8601: given.range.0))
    let last = try #require(LocalDate(iso8601: given.range.1))
    let asOf = try #require(Instant(rfc3339: Self.asOf))
    let entries = try given.entries.map { start, end in
      WorkedEntry(
        user: UserKey(1), clockIn: try #require(Instant(rfc3339: start)),
        clockOut: try end.map { try #require(Instant(rfc3339: $0)) }, session: nil, source: .api, flags: [],
        id: nil)
    }
    let calculation = ReportCalculation(
      dates: ReportDates(of: zone, from: rules.firstDate(neededBy: first), through: last),
      frame: ReportFrame(
        startDate: first, endDate: last, timeZone: zone.identifier, attribution: given.attribution, asOf: asOf
      ),
      rules: rules)
    let time = WorkedTime(
      entries: entries,
      people: [
        UserKey(1): ReportedPerson(
          id: UserID(high: 1, low: 1), name: "Ana", storedEmail: "ana@example.com", personnelNumber: nil)
      ], sessions: [:])
    let segments = ReportSegments([])
    return ReportGrouping.grouping(
      calculation.slices(of: time, segments), of: time, segments, by: dimensions)
  }

  @Test("are counted once by entry, by day, and from the first start to the last end")
  func figures() throws {
    let given = Case(
      testDescription: "", zone: "Europe/Berlin", range: ("2026-10-24", "2026-10-26"),
      entries: [
        ("2026-10-26T09:00:00+01:00", "2026-10-26T12:00:00+01:00"),
        ("2026-10-24T22:00:00+02:00", "2026-10-25T06:00:00+01:00"),
        ("2026-10-26T13:00:00+01:00", "2026-10-26T17:00:00+01:00"),
      ], expected: [:])
    let (rows, totals) = try report(given, by: [.user])
    #expect(rows.map(\.figures) == [totals])
    #expect(totals.seconds == 16 * 3_600)
    #expect(totals.entries == 3)
    #expect(totals.daysWorked == 3)
    #expect(totals.firstIn?.rfc3339 == "2026-10-24T20:00:00.000Z")
    #expect(totals.lastOut?.rfc3339 == "2026-10-26T16:00:00.000Z")
    let byDay = try report(given)
    #expect(byDay.rows.map(\.figures.entries) == [1, 1, 2])
    #expect(byDay.totals == totals)
  }

  @Test("that still run have no last end")
  func running() throws {
    let given = Case(
      testDescription: "", zone: "UTC", range: ("2026-11-19", "2026-11-20"),
      entries: [("2026-11-19T08:00:00Z", "2026-11-19T09:00:00Z"), ("2026-11-19T23:00:00Z", nil)],
      expected: [:])
    let (rows, totals) = try report(given)
    #expect(rows.map { $0.figures.lastOut?.rfc3339 } == ["2026-11-20T00:00:00.000Z", nil])
    #expect(totals.lastOut == nil)
  }

  /// Each case: the limits of a day and of a week, when weeks begin, and the overtime of ten hours on each date from
  /// Friday, 2026-11-06, to Monday, 2026-11-16, of which 2026-11-10 to 2026-11-16 are reported.
  @Test(
    "beyond the policy's limits are overtime, a date's first",
    arguments: [
      (nil, nil, Weekday.monday, [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]),
      (8, nil, .monday, [2, 2, 2, 2, 2, 2, 2], [0, 0, 0, 0, 0, 0, 0]),
      // Monday, outside of the range, counts: 10 of 40 are gone on Tuesday. A new week begins on the last date.
      (nil, 40, .monday, [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 10, 10, 10, 0]),
      (8, 40, .monday, [2, 2, 2, 2, 2, 2, 2], [0, 0, 0, 0, 8, 8, 0]),
      // Saturday to Monday are three dates before it.
      (nil, 35, .saturday, [0, 0, 0, 0, 0, 0, 0], [5, 10, 10, 10, 0, 0, 0]),
      (0, nil, .monday, [10, 10, 10, 10, 10, 10, 10], [0, 0, 0, 0, 0, 0, 0]),
      (24, 168, .sunday, [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]),
    ] as [(Int64?, Int64?, Weekday, [Int64], [Int64])])
  func overtime(
    _ day: Int64?, _ week: Int64?, _ weekStart: Weekday, _ daily: [Int64], _ weekly: [Int64]
  ) throws {
    var policy = Policy.standard
    policy.dailyOvertimeSeconds = day.map { $0 * 3_600 }
    policy.weeklyOvertimeSeconds = week.map { $0 * 3_600 }
    policy.weekStart = weekStart
    let given = Case(
      testDescription: "", zone: "UTC", range: ("2026-11-10", "2026-11-16"),
      entries: (6...16).flatMap { day -> [(String, String?)] in
        let date = "2026-11-\(day < 10 ? "0" : "")\(day)"
        // In two halves, the second one first.
        return [("\(date)T13:00:00Z", "\(date)T18:00:00Z"), ("\(date)T06:00:00Z", "\(date)T11:00:00Z")]
      }, expected: [:])
    let (rows, totals) = try report(given, rules: PayRulesCalendar(policy))
    #expect(rows.map(\.figures.dailyOvertimeSeconds) == daily.map { $0 * 3_600 })
    #expect(rows.map(\.figures.weeklyOvertimeSeconds) == weekly.map { $0 * 3_600 })
    for figures in rows.map(\.figures) { #expect(figures.seconds == 36_000) }
    let overtime = daily.reduce(0, +) + weekly.reduce(0, +)
    #expect(totals.regularSeconds == (70 - overtime) * 3_600)
  }

  /// Each case: the range, the hours of weekly overtime on each of its dates, with ten hours of work a day. Until Tuesday, 10
  /// November, weeks begin on Monday and have 40 hours; from Wednesday on they begin on that day and have 35, and the last rules
  /// have 20.
  @Test(
    "of a week have the limit of the rules of its first date, and a week that is cut short has its own",
    arguments: [
      ("2026-11-05", "2026-11-12", [0, 10, 10, 10, 0, 0, 0, 0]),
      // Monday and Tuesday are before the range, and of another week.
      ("2026-11-11", "2026-11-19", [0, 0, 0, 5, 10, 10, 10, 0, 0]),
      ("2026-11-14", "2026-11-21", [5, 10, 10, 10, 0, 0, 10, 10]),
      ("2026-11-10", "2026-11-10", [0]),
    ] as [(String, String, [Int64])])
  func datedOvertime(_ first: String, _ last: String, _ weekly: [Int64]) throws {
    let date = { (text: String) in try #require(LocalDate(iso8601: text)) }
    func rules(_ hours: Int64, _ weekStart: Weekday) -> PayRules {
      PayRules(weeklyOvertimeSeconds: hours * 3_600, weekStart: weekStart)
    }
    let calendar = PayRulesCalendar(
      before: rules(40, .monday),
      then: [
        try date("2026-11-11"): rules(35, .wednesday), try date("2026-11-18"): rules(20, .wednesday),
      ])
    let given = Case(
      testDescription: "", zone: "UTC", range: (first, last),
      entries: (2...22).map { day in
        let date = "2026-11-\(day < 10 ? "0" : "")\(day)"
        return ("\(date)T08:00:00Z", "\(date)T18:00:00Z")
      }, expected: [:])
    let (rows, _) = try report(given, rules: calendar)
    #expect(rows.map(\.figures.weeklyOvertimeSeconds) == weekly.map { $0 * 3_600 })
  }

  /// Each case: members, in the order in which their entries come.
  @Test(
    "of several members stand together by member, in the order of time, however they come",
    arguments: [
      [1, 1, 2, 2, 3], [3, 1, 2, 1, 3, 2, 2], [50, 2, 50, 2, 7], [.max, 1, .max, 2], [.min, .max, .min],
      [2, 1], [],
    ] as [[Int64]])
  func members(_ members: [Int64]) throws {
    let start = try #require(Instant(rfc3339: "2026-11-20T08:00:00Z"))
    let entries = members.enumerated().map { number, member in
      let clockIn = start.adding(milliseconds: Int64(number) * 60_000)
      return WorkedEntry(
        user: UserKey(member), clockIn: clockIn, clockOut: clockIn.adding(milliseconds: 60_000), session: nil,
        source: .api, flags: [], id: nil)
    }
    let date = try #require(LocalDate(iso8601: "2026-11-20"))
    let zone = try #require(SystemZones.zone("UTC"))
    let calculation = ReportCalculation(
      dates: ReportDates(of: zone, from: date, through: date),
      frame: ReportFrame(
        startDate: date, endDate: date, timeZone: zone.identifier, attribution: .split,
        asOf: start.adding(milliseconds: 86_400_000)),
      rules: .standard)
    let time = WorkedTime(entries: entries, people: [:], sessions: [:])
    let places = members.indices.sorted { (members[$0], $0) < (members[$1], $1) }
    #expect(calculation.slices(of: time, ReportSegments([])).map(\.entry) == places)
  }
}
