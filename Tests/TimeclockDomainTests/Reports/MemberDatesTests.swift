import Testing

@testable import TimeclockDomain

@Suite("Hours by each member's own dates")
struct MemberDatesTests {
  /// A row of a schedule: its first date, its zone, nil for the organization's, and the start of its dates.
  typealias Row = (from: String, zone: String?, start: String?)

  /// Entries of one member, a range, and the seconds that its dates get.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rows: [Row] = []
    var attribution = ReportAttribution.split
    var range: (String, String)
    var entries: [(String, String)]
    var expected: [String: Int64]
  }

  private static let newYork = "America/New_York"
  private static let atSix: [Row] = [("2026-01-01", nil, "06:00")]

  private static let cases = [
    Case(
      testDescription: "without a row they are the organization's, from midnight on",
      range: ("2026-10-24", "2026-10-25"),
      entries: [("2026-10-24T22:00:00+02:00", "2026-10-25T06:00:00+01:00")],
      expected: ["2026-10-24": 7_200, "2026-10-25": 25_200]),
    Case(
      testDescription: "before the first row too", rows: [("2026-11-01", newYork, "06:00")],
      range: ("2026-10-24", "2026-10-25"),
      entries: [("2026-10-24T22:00:00+02:00", "2026-10-25T06:00:00+01:00")],
      expected: ["2026-10-24": 7_200, "2026-10-25": 25_200]),
    Case(
      testDescription: "a night is one date's if dates begin at 06:00", rows: atSix,
      range: ("2026-11-19", "2026-11-20"),
      entries: [("2026-11-19T22:00:00+01:00", "2026-11-20T06:00:00+01:00")],
      expected: ["2026-11-19": 28_800]),
    Case(
      testDescription: "a longer one is cut at 06:00", rows: atSix, range: ("2026-11-19", "2026-11-20"),
      entries: [("2026-11-19T22:00:00+01:00", "2026-11-20T07:30:00+01:00")],
      expected: ["2026-11-19": 28_800, "2026-11-20": 5_400]),
    Case(
      testDescription: "the hours before 06:00 are not the range's", rows: atSix,
      range: ("2026-11-20", "2026-11-20"),
      entries: [("2026-11-20T02:00:00+01:00", "2026-11-20T08:00:00+01:00")],
      expected: ["2026-11-20": 7_200]),
    Case(
      testDescription: "the night in which an hour comes twice has nine hours", rows: atSix,
      range: ("2026-10-24", "2026-10-25"),
      entries: [("2026-10-24T22:00:00+02:00", "2026-10-25T06:00:00+01:00")],
      expected: ["2026-10-24": 32_400]),
    Case(
      testDescription: "the night in which one is skipped has seven", rows: atSix,
      range: ("2026-03-28", "2026-03-29"),
      entries: [("2026-03-28T22:00:00+01:00", "2026-03-29T06:00:00+02:00")],
      expected: ["2026-03-28": 25_200]),
    Case(
      testDescription: "the last date before a move to the west is longer",
      rows: [("2026-10-01", nil, nil), ("2026-10-15", newYork, nil)], range: ("2026-10-01", "2026-10-31"),
      entries: [("2026-10-14T20:00:00Z", "2026-10-15T06:00:00Z")],
      expected: ["2026-10-14": 28_800, "2026-10-15": 7_200]),
    Case(
      testDescription: "the last one before a move to the east is shorter",
      rows: [("2026-10-01", newYork, nil), ("2026-11-10", nil, nil)], range: ("2026-11-01", "2026-11-30"),
      entries: [("2026-11-09T22:00:00Z", "2026-11-10T02:00:00Z")],
      expected: ["2026-11-09": 3_600, "2026-11-10": 10_800]),
    Case(
      testDescription: "whole entries count for the date of their start", rows: atSix, attribution: .start,
      range: ("2026-11-19", "2026-11-19"),
      entries: [
        ("2026-11-20T02:00:00+01:00", "2026-11-20T08:00:00+01:00"),
        ("2026-11-19T02:00:00+01:00", "2026-11-19T08:00:00+01:00"),
      ],
      expected: ["2026-11-19": 21_600]),
    Case(
      testDescription: "an end at 06:00 is the next date's", rows: atSix, attribution: .end,
      range: ("2026-11-20", "2026-11-20"),
      entries: [("2026-11-19T22:00:00+01:00", "2026-11-20T06:00:00+01:00")],
      expected: ["2026-11-20": 28_800]),
  ]

  @Test("go to the dates that they count for", arguments: cases)
  func dates(_ given: Case) throws {
    let sums = try sums(
      of: [1: given.entries], by: [1: schedule(given.rows)], range: given.range, given.attribution)
    var seconds: [String: Int64] = [:]
    for (key, figures) in sums { seconds[key.date.iso8601] = figures.seconds }
    #expect(seconds == given.expected)
  }

  @Test("differ from member to member in one report")
  func members() throws {
    let night = [("2026-11-19T22:00:00+01:00", "2026-11-20T07:00:00+01:00")]
    let sums = try sums(
      of: [1: night, 2: night, 3: night, 4: night],
      by: [
        2: schedule(Self.atSix), 3: schedule([("2026-01-01", Self.newYork, nil)]),
        4: schedule([("2026-06-01", nil, "06:00")]),
      ], range: ("2026-11-19", "2026-11-20"))
    let hours = Dictionary(
      grouping: sums.map { ($0.key, $0.value.seconds / 3_600) }, by: { $0.0.member }
    ).mapValues { $0.sorted { $0.0.date < $1.0.date }.map(\.1) }
    #expect(hours == [1: [2, 7], 2: [8, 1], 3: [8, 1], 4: [8, 1]])
  }

  /// Each case: the range, and of a shift from 22:00 to 06:20 without a break what is deducted on its dates, of a member
  /// whose dates begin at midnight, and of one whose dates begin at 06:00.
  @Test(
    "lose missing breaks at the end of the shift, whatever dates are asked for",
    arguments: [
      (("2026-11-19", "2026-11-20"), [0, 1_800], [600, 1_200]),
      (("2026-11-19", "2026-11-19"), [0], [600]), (("2026-11-20", "2026-11-20"), [1_800], [1_200]),
    ] as [((String, String), [Int64], [Int64])])
  func breaks(_ range: (String, String), _ atMidnight: [Int64], _ atSix: [Int64]) throws {
    let shift = [("2026-11-19T22:00:00+01:00", "2026-11-20T06:20:00+01:00")]
    let sums = try sums(
      of: [1: shift, 2: shift], by: [2: schedule(Self.atSix)], range: range,
      policy: ShiftSample.policy(ShiftSample.lawful))
    for (member, expected) in [(1, atMidnight), (2, atSix)] as [(Int64, [Int64])] {
      let deducted = sums.filter { $0.key.member == member }.sorted { $0.key.date < $1.key.date }
        .map(\.value.deductedBreakSeconds)
      #expect(deducted == expected)
    }
  }

  @Test("are overtime of the week that their date lies in")
  func weeks() throws {
    var policy = Policy.standard
    policy.weeklyOvertimeSeconds = 8 * 3_600
    // The night from Sunday to Monday, and Monday's.
    let nights = [
      ("2026-11-22T22:00:00+01:00", "2026-11-23T06:00:00+01:00"),
      ("2026-11-23T22:00:00+01:00", "2026-11-24T06:00:00+01:00"),
    ]
    let sums = try sums(
      of: [1: nights, 2: nights], by: [2: schedule(Self.atSix)], range: ("2026-11-22", "2026-11-24"),
      policy: policy)
    let overtime = sums.filter { $0.value.weeklyOvertimeSeconds > 0 }
      .map { "\($0.key.member) \($0.key.date.iso8601) \($0.value.weeklyOvertimeSeconds)" }
    // Member 1: 2 hours on Sunday, 6 + 2 on Monday, 6 on Tuesday. Member 2: 8 in either week.
    #expect(overtime == ["1 2026-11-24 21600"])
  }

  /// The sums of each member by date.
  private func sums(
    of entries: [Int64: [(String, String)]], by schedules: [Int64: Schedule], range: (String, String),
    _ attribution: ReportAttribution = .split, policy: Policy = .standard
  ) throws -> [ShiftSample.Key: ReportFigures] {
    let (first, last) = (try PayrollSample.date(range.0), try PayrollSample.date(range.1))
    let zone = try PayrollSample.zone("Europe/Berlin")
    var worked: [WorkedEntry] = []
    for (member, spans) in entries {
      for (start, end) in spans {
        worked.append(
          WorkedEntry(
            user: UserKey(member), clockIn: try PayrollSample.instant(start),
            clockOut: try PayrollSample.instant(end), session: nil, source: .api, flags: [], id: nil))
      }
    }
    let calculation = ReportCalculation(
      dates: ReportDates(
        of: Dictionary(uniqueKeysWithValues: schedules.map { (UserKey($0), $1) }),
        others: Schedule(rows: [], organizationZone: zone),
        from: first.startOfWeek(beginning: policy.weekStart), through: last),
      frame: ReportFrame(
        startDate: first, endDate: last, timeZone: zone.identifier, attribution: attribution,
        asOf: try PayrollSample.instant("2026-12-01T00:00:00Z")),
      rules: PayRulesCalendar(policy))
    let time = WorkedTime(entries: worked, people: [:], sessions: [:])
    var sums: [ShiftSample.Key: ReportFigures] = [:]
    for slice in calculation.slices(of: time, ReportSegments([])) {
      let key = ShiftSample.Key(member: worked[slice.entry].user.value, date: slice.date)
      sums[key, default: ReportFigures()].seconds += slice.seconds
      sums[key]?.deductedBreakSeconds += slice.deductedSeconds
      sums[key]?.weeklyOvertimeSeconds += slice.weeklyOvertimeSeconds
    }
    return sums
  }

  private func schedule(_ rows: [Row]) throws -> Schedule {
    let plan = try PayrollSample.week(of: 28_800)
    return Schedule(
      rows: try rows.map { from, zone, start in
        ScheduleRow(
          from: try PayrollSample.date(from), plan: plan, zone: try zone.map(PayrollSample.zone),
          workdayStart: start.flatMap(TimeOfDay.init))
      }, organizationZone: try PayrollSample.zone("Europe/Berlin"))
  }
}

extension MemberDatesTests {
  @Test("are the same for schedules with the same clocks, and no others share them")
  func sharing() throws {
    var random = RepeatableRandom(state: 43)
    let first = try PayrollSample.date("2026-10-10")
    let last = first.adding(days: 30)
    let zones: [String?] = [nil, Self.newYork, "Pacific/Kiritimati"]
    var known: [[ClockChange]: [DayStretch]] = [:]
    var repeated = 0
    for _ in 0..<2_000 {
      let rows = (0..<Int.random(in: 0...3, using: &random)).map { _ -> Row in
        (
          first.adding(days: Int.random(in: -8...8, using: &random)).iso8601,
          zones.randomElement(using: &random)!,
          [nil, "23:59"].randomElement(using: &random)!
        )
      }
      let schedule = try schedule(rows)
      let stretches = schedule.dayStretches(from: first, through: last)
      let clocks = schedule.clockChanges(from: first)
      if let other = known[clocks] {
        #expect(other == stretches)
        repeated += 1
      }
      known[clocks] = stretches
    }
    #expect(repeated > 500)
    #expect(known.count > 100)
    // A row that changes no clock makes no dates of its own.
    let plain = try schedule([("2026-10-01", nil, nil), ("2026-10-20", "Europe/Berlin", "00:00")])
    #expect(plain.clockChanges(from: first) == (try schedule([])).clockChanges(from: first))
  }
}
