import Testing

@testable import TimeclockDomain

/// Days of entries with segments. Times are on 2026-11-19 and 20 in UTC, or of the other date if they are before the
/// first.
@Suite("Segments in a report")
struct ReportSegmentsTests {
  /// A segment of the one member.
  struct Given: Sendable {
    var start: String
    var end: String?
    var project: Int64?
    var task: Int64?
    var breakType: Int64?
    var traits: WorkedSegmentTraits = [.paid]
  }

  private static func work(_ start: String, _ end: String?, _ project: Int64?, task: Int64? = nil) -> Given {
    Given(start: start, end: end, project: project, task: task, traits: [.paid, .billable])
  }

  /// An unpaid break of the first type, or a paid one of the second.
  private static func rest(_ start: String, _ end: String?, isPaid: Bool = false) -> Given {
    Given(start: start, end: end, breakType: isPaid ? 2 : 1, traits: isPaid ? [.paid] : [])
  }

  private struct Day {
    var entries: [(String, String?)]
    var segments: [Given] = []
    var policy = Policy.standard
    var filter = ReportFilter()
    var rounding: ReportRounding?
    var attribution = ReportAttribution.split
  }

  private static let asOf = "2026-11-20T18:00:00Z"
  private static let projects = [
    Int64(1): ReportedProject(
      id: ProjectID(high: 1, low: 1), name: "Garden", color: "#007AFF", client: "Weber"),
    2: ReportedProject(id: ProjectID(high: 1, low: 2), name: "Archive", color: "#000000", client: nil),
    3: ReportedProject(id: ProjectID(high: 1, low: 3), name: "Roof", color: "#000000", client: "Weber"),
  ]

  private func slices(_ day: Day) throws -> (
    time: WorkedTime, segments: ReportSegments, slices: [ReportSlice]
  ) {
    func instant(_ text: String) throws -> Instant {
      try #require(Instant(rfc3339: text.count == 5 ? "2026-11-20T\(text):00Z" : text))
    }
    let zone = try #require(SystemZones.zone("UTC"))
    let (first, last) = (LocalDate(daysSince1970: 20_776), LocalDate(daysSince1970: 20_777))
    #expect(last.iso8601 == "2026-11-20")
    let time = WorkedTime(
      entries: try day.entries.map { start, end in
        WorkedEntry(
          user: UserKey(1), clockIn: try instant(start), clockOut: try end.map(instant), session: nil,
          source: .api, flags: [], id: nil)
      },
      people: [
        UserKey(1): ReportedPerson(
          id: UserID(high: 1, low: 1), name: "Ana", storedEmail: "ana@example.com", personnelNumber: nil)
      ], sessions: [:],
      segments: try day.segments.map { given in
        WorkedSegment(
          user: UserKey(1), start: try instant(given.start), end: try given.end.map(instant),
          traits: given.traits, project: given.project, task: given.task, breakType: given.breakType,
          entryID: nil)
      },
      purposes: ReportedPurposes(
        projects: Self.projects, tasks: [1: ReportedTask(id: TaskID(high: 1, low: 1), name: "Mowing")]))
    let segments = ReportSegments(time.segments)
    let calculation = ReportCalculation(
      dates: ReportDates(of: zone, from: first, through: last),
      frame: ReportFrame(
        startDate: first, endDate: last, timeZone: zone.identifier, attribution: day.attribution,
        asOf: try instant(Self.asOf)),
      rules: PayRulesCalendar(day.policy), filter: day.filter, rounding: day.rounding)
    return (time, segments, calculation.slices(of: time, segments))
  }

  private func report(
    _ day: Day, by dimensions: [ReportDimension] = [.user]
  ) throws -> (rows: [ReportRow], totals: ReportFigures) {
    let (time, segments, slices) = try slices(day)
    return ReportGrouping.grouping(slices, of: time, segments, by: dimensions)
  }

  private static func policy(
    rules: [(after: Int64, break: Int64)] = [(21_600, 1_800), (32_400, 2_700)], minimum: Int64 = 900,
    daily: Int64? = nil
  ) -> Policy {
    var policy = Policy.standard
    policy.breakRules = rules.map { BreakRule(afterSeconds: $0.after, breakSeconds: $0.break) }
    policy.breakMinimumSeconds = minimum
    policy.dailyOvertimeSeconds = daily
    return policy
  }

  /// Each case: the entries, the breaks, and the minutes that are unpaid, deducted and paid.
  @Test(
    "deducts the rest of the break that a long day has too little of",
    arguments: [
      ("six hours need none", [("08:00", "14:00")], [], 0, 0, 360),
      ("never below what the rule is for", [("08:00", "14:10")], [], 0, 10, 360),
      ("more than six need half an hour", [("08:00", "15:00")], [], 0, 30, 390),
      ("a taken one is enough", [("08:00", "15:00")], [rest("12:00", "12:30")], 30, 0, 390),
      ("two halves are", [("08:00", "15:00")], [rest("10:00", "10:15"), rest("12:00", "12:15")], 30, 0, 390),
      ("fourteen minutes are none", [("08:00", "15:00")], [rest("10:00", "10:14")], 14, 30, 376),
      ("the rest of a short one is deducted", [("08:00", "15:00")], [rest("10:00", "10:20")], 20, 10, 390),
      (
        "a paid break is no unpaid one", [("08:00", "15:00")], [rest("10:00", "10:30", isPaid: true)], 0, 30,
        390
      ),
      ("it is no work either", [("08:00", "14:20")], [rest("10:00", "10:30", isPaid: true)], 0, 0, 380),
      ("the strictest rule counts, and no sum", [("06:00", "16:00")], [], 0, 45, 555),
      ("a rule that hardly applies spares no other", [("06:00", "15:05")], [], 0, 30, 515),
      ("the entries of a shift count together", [("06:00", "10:00"), ("10:05", "14:05")], [], 0, 30, 450),
      ("a night is one shift", [("2026-11-19T18:30:00Z", "05:30")], [], 0, 45, 615),
      (
        "a break over midnight counts whole as long enough",
        [("2026-11-19T17:00:00Z", "07:00")], [rest("2026-11-19T23:50:00Z", "00:10")], 20, 25, 795
      ),
      ("an open break counts to the report's time", [("08:00", nil)], [rest("17:00", nil)], 60, 0, 540),
    ] as [(String, [(String, String?)], [Given], Int64, Int64, Int64)])
  func deductions(
    _ title: String, _ entries: [(String, String?)], _ breaks: [Given], _ unpaid: Int64, _ deducted: Int64,
    _ paid: Int64
  ) throws {
    let figures = try report(Day(entries: entries, segments: breaks, policy: Self.policy())).totals
    #expect(figures.unpaidBreakSeconds == unpaid * 60, "\(title)")
    #expect(figures.deductedBreakSeconds == deducted * 60, "\(title)")
    #expect(figures.paidSeconds == paid * 60, "\(title)")
    #expect(figures.regularSeconds == figures.paidSeconds)
  }

  @Test("takes what is missing from the last work, and counts overtime of what is left")
  func order() throws {
    let day = Day(
      entries: [("06:00", "16:00")],
      segments: [
        Self.work("06:00", "12:00", 1), Self.rest("12:00", "12:20"), Self.work("12:20", "15:45", 2),
        Self.work("15:45", "15:50", 3),
      ], policy: Self.policy(daily: 8 * 3_600))
    let (rows, totals) = try report(day, by: [.project])
    // Nine hours and 40 minutes of work ask for 45 minutes, of which 25 are missing: ten of no project, five of Roof, and
    // ten of Archive.
    let minutes = { (figure: (ReportFigures) -> Int64) in rows.map { figure($0.figures) / 60 } }
    #expect(totals.deductedBreakSeconds == 1_500)
    #expect(minutes(\.deductedBreakSeconds) == [10, 0, 5, 10])
    #expect(totals.paidSeconds == 33_300)
    // Archive's last 75 paid minutes.
    #expect(minutes(\.dailyOvertimeSeconds) == [75, 0, 0, 0])
    #expect(minutes(\.breakSeconds) == [0, 0, 0, 20])
    #expect(minutes(\.seconds) == [205, 360, 5, 30])
    #expect(rows.map(\.figures.entries) == [1, 1, 1, 1])
    let lacking = try slices(day).slices.map(\.lacksBreak)
    #expect(lacking == [true, true, true, true, true])
  }

  /// Each case: a grouping, and the seconds of its rows.
  @Test(
    "shares the seconds of an entry so that every grouping has the same total",
    arguments: [
      ([.project], [1, 2, 1, 2]), ([.client], [3, 3]), ([.task], [1, 5]), ([.kind], [1, 1, 4]),
      ([.user], [6]),
      ([.day, .kind], [1, 1, 4]), ([.project, .task], [1, 2, 1, 2]),
    ] as [([ReportDimension], [Int64])])
  func floors(_ dimensions: [ReportDimension], _ seconds: [Int64]) throws {
    // Boundaries after 0.7, 1.5, 2.6, 3.9 and 5 seconds of 6.4 in all: 0 for Garden, 1 for Archive, 1 of break, 1 for Roof,
    // 2 for Garden, and 1 of nothing.
    let day = Day(
      entries: [("2026-11-20T08:00:00.300Z", "2026-11-20T08:00:06.700Z")],
      segments: [
        Self.work("2026-11-20T08:00:00.300Z", "2026-11-20T08:00:01.000Z", 1),
        Self.work("2026-11-20T08:00:01.000Z", "2026-11-20T08:00:01.800Z", 2, task: 1),
        Self.rest("2026-11-20T08:00:01.800Z", "2026-11-20T08:00:02.900Z"),
        Self.work("2026-11-20T08:00:02.900Z", "2026-11-20T08:00:04.200Z", 3),
        Self.work("2026-11-20T08:00:04.200Z", "2026-11-20T08:00:05.300Z", 1),
      ])
    let (rows, totals) = try report(day, by: dimensions)
    #expect(totals.seconds == 6)
    #expect(rows.map(\.figures.seconds) == seconds)
  }

  /// Each case: a filter, and the minutes that it shows.
  @Test(
    "shows the time that a filter chooses, with the overtime and deductions of all",
    arguments: [
      (ReportFilter(), 480), (ReportFilter(projectID: ProjectID(high: 1, low: 1)), 120),
      (ReportFilter(projectID: ProjectID(high: 9, low: 9)), 0),
      (ReportFilter(taskID: TaskID(high: 1, low: 1)), 60), (ReportFilter(client: "Weber"), 180),
      (ReportFilter(client: "weber"), 0), (ReportFilter(tag: "x"), 60), (ReportFilter(isBillable: true), 240),
      (ReportFilter(isBillable: false), 240), (ReportFilter(kind: .work), 300),
      (ReportFilter(kind: .break), 30),
      (ReportFilter(kind: ReportedKind.none), 150), (ReportFilter(client: "Weber", isBillable: false), 0),
      (ReportFilter(sessionID: SessionID(high: 1, low: 1)), 0),
    ] as [(ReportFilter, Int64)])
  func filters(_ filter: ReportFilter, _ minutes: Int64) throws {
    let day = Day(
      entries: [("08:00", "16:00")],
      segments: [
        Self.work("08:00", "10:00", 1), Self.work("10:00", "11:00", 2, task: 1),
        Self.work("11:00", "12:00", 3),
        Self.rest("12:00", "12:30"),
        Given(start: "12:30", end: "13:30", project: nil, task: 2, breakType: nil, traits: [.paid, .tagged]),
      ], filter: filter)
    #expect(try report(day).totals.seconds == minutes * 60)
  }

  /// Each case: the rounding, and the rounded minutes of each project and in all: ten minutes of Garden, twenty of Archive.
  @Test(
    "rounds each part as a whole, at its end",
    arguments: [
      ("part:900:up", [20, 10], 30), ("part:2700:up", [35, 10], 45), ("part:2700:nearest", [35, 10], 45),
      ("part:2701:nearest", [2_101, 600], 2_701), ("part:1500:down", [15, 10], 25),
      ("part:1440:down", [14, 10], 24), ("part:3601:down", [0, 0], 0), ("part:3600:nearest", [50, 10], 60),
      ("part:3601:nearest", [0, 0], 0), ("part:600:down", [20, 10], 30),
    ] as [(String, [Int64], Int64)])
  func rounding(_ text: String, _ parts: [Int64], _ total: Int64) throws {
    let rounding = try #require(ReportRounding(text))
    #expect(rounding.text == text)
    let day = Day(
      entries: [("08:00", "08:45")],
      segments: [
        Self.work("08:00", "08:10", 1), Self.rest("08:10", "08:25"), Self.work("08:25", "08:45", 2),
      ], rounding: rounding)
    let (rows, totals) = try report(day, by: [.project])
    let unit: Int64 = total > 1_000 ? 1 : 60
    let expected = parts.map { $0 * unit } + [0]
    #expect(rows.map(\.figures.roundedSeconds) == expected)
    #expect(totals.roundedSeconds == total * unit)
    #expect(totals.paidSeconds == 30 * 60)
  }

  @Test(
    "is not rounded in other words",
    arguments: [
      "", "part", "part:900", "part:0:up", "part:86401:up", "part:0900:up", "part:+900:up", "part:900:Up",
      "day:900:up", "part:900:up:", "part::up",
    ])
  func noRounding(_ text: String) {
    #expect(ReportRounding(text) == nil)
  }

  @Test("goes with its entry if entries count whole")
  func whole() throws {
    let day = Day(
      entries: [("2026-11-19T22:00:00Z", "02:00")],
      segments: [
        Self.work("2026-11-19T22:00:00Z", "2026-11-19T23:00:00Z", 1), Self.work("01:00", "02:00", 1),
      ], attribution: .end)
    let rows = try report(day, by: [.day, .project]).rows
    #expect(rows.map(\.figures.seconds) == [7_200, 7_200])
    let date = ReportValue.day(LocalDate(daysSince1970: 20_777))
    #expect(rows.allSatisfy { $0.dimensions[0] == date })
  }

  @Test("stands by itself if segments come in any order, of several members")
  func anyOrder() throws {
    let start = try #require(Instant(rfc3339: "2026-11-20T08:00:00Z"))
    func segment(_ user: Int64, _ minute: Int64) -> WorkedSegment {
      WorkedSegment(
        user: UserKey(user), start: start.adding(milliseconds: minute * 60_000), end: nil, traits: [],
        project: minute, task: nil, breakType: nil, entryID: nil)
    }
    let segments = ReportSegments([segment(2, 5), segment(1, 9), segment(2, 1), segment(1, 3)])
    let end = start.adding(milliseconds: 540_000)
    #expect(segments.places(of: UserKey(1), from: start, to: end).map { segments[$0].project } == [3])
    #expect(segments.places(of: UserKey(2), from: start, to: end).map { segments[$0].project } == [1, 5])
    #expect(segments.places(of: UserKey(3), from: start, to: end).isEmpty)
  }
}
