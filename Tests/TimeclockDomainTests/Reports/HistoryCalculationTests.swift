import Testing

@testable import TimeclockDomain

@Suite("History")
struct HistoryCalculationTests {
  /// The times of one member, a period, and its seconds.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var zone = "UTC"
    var attribution = ReportAttribution.split
    var range = ("2026-11-19", "2026-11-20")
    /// Starts and ends; nil is still running.
    var entries: [(String, String?)]
    /// The purpose, the start and the end of each.
    var segments: [(For, String, String?)] = []
    /// The worked seconds of dates, none elsewhere.
    var worked: [String: Int64]
    /// Seconds of each project, by number, and of none.
    var projects: [UInt64?: Int64] = [:]
    /// All breaks, the unpaid ones, and the time without an entry.
    var others: (breaks: Int64, unpaid: Int64, outside: Int64) = (0, 0, 0)
  }

  enum For: Sendable {
    case project(UInt64)
    case paidBreak
    case unpaidBreak
    /// A project, kept without an entry.
    case outside(UInt64)
  }

  private static let cases = [
    Case(
      testDescription: "time without a segment is for nothing",
      entries: [("2026-11-19T08:00:00Z", "2026-11-19T16:00:00Z")], worked: ["2026-11-19": 28_800],
      projects: [nil: 28_800]),
    Case(
      testDescription: "segments, a paid and an unpaid break, and what is left",
      entries: [("2026-11-19T08:00:00Z", "2026-11-19T16:00:00Z")],
      segments: [
        (.project(1), "2026-11-19T08:00:00Z", "2026-11-19T10:00:00Z"),
        (.paidBreak, "2026-11-19T10:00:00Z", "2026-11-19T10:15:00Z"),
        (.project(2), "2026-11-19T10:15:00Z", "2026-11-19T12:00:00Z"),
        (.unpaidBreak, "2026-11-19T12:00:00Z", "2026-11-19T12:30:00Z"),
        (.project(1), "2026-11-19T13:00:00Z", "2026-11-19T16:00:00Z"),
      ], worked: ["2026-11-19": 28_800], projects: [1: 18_000, 2: 6_300, nil: 1_800],
      others: (2_700, 1_800, 0)),
    Case(
      testDescription: "fractions are shared by the floors of the sums, and none is lost",
      entries: [("2026-11-19T08:00:00.000Z", "2026-11-19T08:00:03.100Z")],
      segments: [
        (.project(1), "2026-11-19T08:00:00.000Z", "2026-11-19T08:00:00.900Z"),
        (.project(2), "2026-11-19T08:00:00.900Z", "2026-11-19T08:00:01.800Z"),
        (.unpaidBreak, "2026-11-19T08:00:01.800Z", "2026-11-19T08:00:02.700Z"),
      ], worked: ["2026-11-19": 3], projects: [1: 0, 2: 1, nil: 1], others: (1, 1, 0)),
    Case(
      testDescription: "boundaries count from the beginning of the entry, not of the second",
      entries: [("2026-11-19T08:00:00.600Z", "2026-11-19T08:00:02.600Z")],
      segments: [(.project(1), "2026-11-19T08:00:00.600Z", "2026-11-19T08:00:01.500Z")],
      worked: ["2026-11-19": 2], projects: [1: 0, nil: 2]),
    Case(
      testDescription: "a date restarts: each date's whole seconds are shared by themselves",
      entries: [("2026-11-19T23:59:58.500Z", "2026-11-20T00:00:01.500Z")],
      segments: [(.project(1), "2026-11-19T23:59:59.400Z", "2026-11-20T00:00:00.999Z")],
      worked: ["2026-11-19": 1, "2026-11-20": 1], projects: [1: 1, nil: 1]),
    Case(
      testDescription: "a night shift through the autumn clock change", zone: "Europe/Berlin",
      range: ("2026-10-24", "2026-10-25"),
      entries: [("2026-10-24T22:00:00+02:00", "2026-10-25T06:00:00+01:00")],
      segments: [(.project(1), "2026-10-24T23:00:00+02:00", "2026-10-25T02:30:00+01:00")],
      worked: ["2026-10-24": 7_200, "2026-10-25": 25_200], projects: [1: 16_200, nil: 16_200]),
    Case(
      testDescription: "a date of 25 hours", zone: "Europe/Berlin", range: ("2026-10-25", "2026-10-25"),
      entries: [("2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z")],
      segments: [(.project(1), "2026-10-24T13:00:00Z", "2026-10-26T11:00:00Z")],
      worked: ["2026-10-25": 90_000], projects: [1: 90_000]),
    Case(
      testDescription: "a date of 23 hours", zone: "Europe/Berlin", range: ("2026-03-29", "2026-03-29"),
      entries: [("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z")],
      segments: [(.project(1), "2026-03-29T12:00:00Z", "2026-03-30T11:00:00Z")],
      worked: ["2026-03-29": 82_800], projects: [1: 36_000, nil: 46_800]),
    Case(
      testDescription: "a date that comes back goes on counting where it was left", zone: "America/St_Johns",
      range: ("2010-11-06", "2010-11-06"),
      entries: [("2010-11-07T02:29:58.500Z", "2010-11-07T02:31:01.500Z")],
      segments: [(.project(1), "2010-11-07T02:29:59.400Z", "2010-11-07T02:31:00.300Z")],
      // 1.5 s before the new date and 1.5 s after it: floors of 0.9, 1.8 and 3.
      worked: ["2010-11-06": 3], projects: [1: 1, nil: 2]),
    Case(
      testDescription: "Samoa had no 30 December 2011", zone: "Pacific/Apia",
      range: ("2011-12-30", "2011-12-30"),
      entries: [("2011-12-29T22:00:00-10:00", "2011-12-31T02:00:00+14:00")],
      segments: [(.project(1), "2011-12-29T22:00:00-10:00", "2011-12-31T02:00:00+14:00")], worked: [:]),
    Case(
      testDescription: "what runs counts to the history's time",
      entries: [("2026-11-20T08:00:00Z", nil)],
      segments: [
        (.project(1), "2026-11-20T08:00:00Z", "2026-11-20T09:00:00Z"),
        (.unpaidBreak, "2026-11-20T11:30:00Z", nil),
      ], worked: ["2026-11-20": 14_400], projects: [1: 3_600, nil: 9_000], others: (1_800, 1_800, 0)),
    Case(
      testDescription: "what began after the history's time does not count",
      entries: [("2026-11-20T08:00:00Z", nil)],
      segments: [
        (.project(1), "2026-11-20T11:00:00Z", "2026-11-20T13:00:00Z"),
        (.project(2), "2026-11-20T13:00:00Z", nil),
      ], worked: ["2026-11-20": 14_400], projects: [1: 3_600, nil: 10_800]),
    Case(
      testDescription: "an entry that has ended counts whole", range: ("2026-11-20", "2026-11-20"),
      entries: [("2026-11-20T11:00:00Z", "2026-11-20T15:00:00Z")],
      segments: [(.project(1), "2026-11-20T13:00:00Z", "2026-11-20T14:00:00Z")],
      worked: ["2026-11-20": 14_400], projects: [1: 3_600, nil: 10_800]),
    Case(
      testDescription: "work without an entry is beside all of it",
      entries: [("2026-11-19T08:00:00Z", "2026-11-19T09:00:00Z")],
      segments: [
        (.outside(1), "2026-11-19T07:00:00Z", "2026-11-19T08:00:00Z"),
        (.outside(1), "2026-11-18T22:00:00Z", "2026-11-19T02:00:00.999Z"),
        (.outside(1), "2026-11-20T11:59:59Z", nil),
      ], worked: ["2026-11-19": 3_600], projects: [nil: 3_600], others: (0, 0, 10_801)),
    Case(
      testDescription: "work without an entry is not an entry's, also where it lies in one's time",
      entries: [("2026-11-19T08:00:00Z", "2026-11-19T09:00:00Z")],
      segments: [(.outside(1), "2026-11-19T08:15:00Z", "2026-11-19T08:30:00Z")],
      worked: ["2026-11-19": 3_600], projects: [nil: 3_600], others: (0, 0, 900)),
    Case(
      testDescription: "entries, and work on projects, each count for their start", attribution: .start,
      range: ("2026-11-19", "2026-11-19"),
      entries: [
        ("2026-11-18T22:00:00Z", "2026-11-19T06:00:00Z"), ("2026-11-19T22:00:00Z", "2026-11-20T06:00:00Z"),
      ],
      segments: [
        (.project(1), "2026-11-18T22:00:00Z", "2026-11-19T01:00:00Z"),
        (.project(2), "2026-11-19T02:00:00Z", "2026-11-19T06:00:00Z"),
        (.project(1), "2026-11-19T23:00:00Z", "2026-11-20T01:00:00Z"),
        (.project(2), "2026-11-20T02:00:00Z", "2026-11-20T03:00:00Z"),
      ], worked: ["2026-11-19": 28_800], projects: [1: 7_200, 2: 14_400, nil: 18_000]),
    Case(
      testDescription: "breaks go with their entry, or pay would be below nothing", attribution: .start,
      range: ("2026-11-20", "2026-11-20"), entries: [("2026-11-19T22:00:00Z", "2026-11-20T06:00:00Z")],
      segments: [(.unpaidBreak, "2026-11-20T02:00:00Z", "2026-11-20T02:30:00Z")], worked: [:]),
    Case(
      testDescription: "breaks go with their entry into its date", attribution: .start,
      range: ("2026-11-19", "2026-11-19"), entries: [("2026-11-19T22:00:00Z", "2026-11-20T06:00:00Z")],
      segments: [(.unpaidBreak, "2026-11-20T02:00:00Z", "2026-11-20T02:30:00Z")],
      worked: ["2026-11-19": 28_800], projects: [nil: 27_000], others: (1_800, 1_800, 0)),
    Case(
      testDescription: "by their start, the floors run through the whole entry", attribution: .start,
      range: ("2026-11-19", "2026-11-19"),
      entries: [("2026-11-19T23:59:59.400Z", "2026-11-20T00:00:01.400Z")],
      segments: [(.project(1), "2026-11-19T23:59:59.900Z", "2026-11-20T00:00:00.900Z")],
      worked: ["2026-11-19": 2], projects: [1: 1, nil: 1]),
    Case(
      testDescription: "a segment that does not fit its entry is cut",
      entries: [("2026-11-19T08:00:00Z", "2026-11-19T09:00:00Z")],
      segments: [
        (.project(1), "2026-11-19T08:15:00Z", "2026-11-19T08:45:00Z"),
        (.project(2), "2026-11-19T08:30:00Z", "2026-11-19T09:30:00Z"),
        (.project(2), "2026-11-19T09:30:00Z", "2026-11-19T10:30:00Z"),
      ], worked: ["2026-11-19": 3_600], projects: [1: 1_800, 2: 900, nil: 900]),
  ]

  @Test("adds up entries and what they were for", arguments: cases)
  func sums(_ given: Case) throws {
    let sums = try Self.sums(of: given)
    let worked = Dictionary(uniqueKeysWithValues: sums.days.map { ($0.date.iso8601, $0.workSeconds) })
    #expect(worked.filter { $0.value != 0 } == given.worked)
    let projects = Dictionary(
      uniqueKeysWithValues: sums.projects.map { id, seconds in (id.map(\.low), seconds) })
    #expect(projects.filter { $0.value != 0 } == given.projects.filter { $0.value != 0 })
    #expect(sums.breakSeconds == given.others.breaks)
    #expect(sums.unpaidBreakSeconds == given.others.unpaid)
    #expect(sums.outsideSeconds == given.others.outside)
    let tasks = sums.tasks.values.reduce(0, +)
    #expect(tasks == sums.projects.values.reduce(0, +))
    if given.attribution == .split { #expect(tasks == sums.workSeconds - sums.breakSeconds) }
  }

  private static func sums(of given: Case) throws -> HistorySums {
    let zone = try #require(SystemZones.zone(given.zone))
    let first = try #require(LocalDate(iso8601: given.range.0))
    let last = try #require(LocalDate(iso8601: given.range.1))
    let person = ReportedPerson(
      id: UserID(high: 1, low: 1), name: "Ana", storedEmail: "ana@example.com", personnelNumber: nil)
    let entries = try given.entries.map { start, end in
      WorkedEntry(
        user: UserKey(1), clockIn: try instant(start), clockOut: try end.map(instant), session: nil,
        source: .api, flags: [], id: nil)
    }
    let segments = try given.segments.map { purpose, start, end in
      let (content, isInEntry): (HistoryContent, Bool) =
        switch purpose {
        case .project(let number): (.work(ProjectID(high: 1, low: number), nil), true)
        case .paidBreak: (.break(isPaid: true), true)
        case .unpaidBreak: (.break(isPaid: false), true)
        case .outside(let number): (.work(ProjectID(high: 1, low: number), nil), false)
        }
      return HistorySegment(
        start: try instant(start), end: try end.map(instant), isInEntry: isInEntry, content: content)
    }
    return HistoryCalculation.sums(
      of: WorkedTime(entries: entries, people: [UserKey(1): person], sessions: [:]),
      // In any order.
      [person.id: segments.reversed()],
      stretches: zone.dayStretches(from: first, through: last),
      frame: ReportFrame(
        startDate: first, endDate: last, timeZone: zone.identifier, attribution: given.attribution,
        asOf: try instant("2026-11-20T12:00:00Z")))
  }

  private static func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

  @Test("gives segments to the entries of their owner")
  func owners() throws {
    let start = try Self.instant("2026-11-20T08:00:00Z")
    let people = (1...2).map { number in
      ReportedPerson(
        id: UserID(high: 1, low: UInt64(number)), name: "Ana", storedEmail: "", personnelNumber: nil)
    }
    let entries = [1, 2].map { user in
      WorkedEntry(
        user: UserKey(user), clockIn: start, clockOut: start.adding(milliseconds: 10_000), session: nil,
        source: .api, flags: [], id: nil)
    }
    let segments = people.enumerated().map { number, person in
      let segment = HistorySegment(
        start: start, end: start.adding(milliseconds: 1_000 + 1_000 * Int64(number)), isInEntry: true,
        content: .work(ProjectID(high: 1, low: UInt64(number)), nil))
      return (person.id, [segment])
    }
    let date = try #require(LocalDate(iso8601: "2026-11-20"))
    let zone = try #require(SystemZones.zone("UTC"))
    let sums = HistoryCalculation.sums(
      of: WorkedTime(
        entries: entries, people: [UserKey(1): people[0], UserKey(2): people[1]], sessions: [:]),
      Dictionary(uniqueKeysWithValues: segments), stretches: zone.dayStretches(from: date, through: date),
      frame: ReportFrame(
        startDate: date, endDate: date, timeZone: zone.identifier, attribution: .split,
        asOf: start.adding(milliseconds: 86_400_000)))
    #expect(
      sums.projects == [ProjectID(high: 1, low: 0): 1, ProjectID(high: 1, low: 1): 2, nil: 17])
  }
}
