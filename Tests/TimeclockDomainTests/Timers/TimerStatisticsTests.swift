import Testing

@testable import TimeclockDomain

@Suite("Statistics of timers")
struct TimerStatisticsTests {
  private static func session(
    _ type: TimerType, _ start: String, minutes: Int64 = 25, interruptions: Int64 = 0, label: String? = nil,
    project: UInt64? = nil
  ) throws -> TimerSession {
    let start = try #require(Instant(rfc3339: start))
    return TimerSession(
      id: TimerSessionID(high: 1, low: 1), type: type, startTime: start,
      endTime: start.adding(milliseconds: minutes * 60_000), durationMinutes: minutes,
      interruptionsMinutes: interruptions, seconds: minutes * 60, label: label,
      projectID: project.map { ProjectID(high: 0, low: $0) },
      taskID: project.map { TaskID(high: 0, low: $0) },
      outcome: .finished, notes: nil, isArchived: false, createdAt: start)
  }

  private static func sessions() throws -> [TimerSession] {
    [
      try session(.focus, "2026-11-22T22:30:00Z", minutes: 20, interruptions: 2, label: "b", project: 2),
      try session(.focus, "2026-11-22T23:30:00Z", minutes: 25, label: "a", project: 1),
      try session(.shortBreak, "2026-11-23T00:00:00Z", minutes: 5, label: "a", project: 1),
      try session(.rest, "2026-12-01T12:00:00Z", minutes: 2),
    ]
  }

  @Test(
    "add up by what sessions have in common",
    arguments: [
      (.day, ["2026-11-22 20/2/1", "2026-11-23 30/0/2", "2026-12-01 2/0/1"]),
      (.week, ["2026-W47 20/2/1", "2026-W48 30/0/2", "2026-W49 2/0/1"]),
      (.month, ["2026-11 50/2/3", "2026-12 2/0/1"]),
      (.type, ["focus 45/2/2", "rest 2/0/1", "shortBreak 5/0/1"]),
      (.label, ["a 30/0/2", "b 20/2/1", "- 2/0/1"]),
      (
        .project,
        [
          "00000000-0000-0000-0000-000000000001 30/0/2", "00000000-0000-0000-0000-000000000002 20/2/1",
          "- 2/0/1",
        ]
      ),
      (
        .task,
        [
          "00000000-0000-0000-0000-000000000001 30/0/2", "00000000-0000-0000-0000-000000000002 20/2/1",
          "- 2/0/1",
        ]
      ),
    ] as [(TimerGrouping, [String])])
  func rows(_ grouping: TimerGrouping, _ rows: [String]) throws {
    let zone = try #require(
      TimeZoneIdentifier("Europe/Berlin").flatMap { TimeZoneDatabase().zone($0) })
    var summation = TimerSummation(by: grouping, in: zone)
    for session in try Self.sessions() { summation.add(session) }
    let words = summation.rows.map {
      "\($0.key ?? "-") \($0.sums.minutes)/\($0.sums.interruptionsMinutes)/\($0.sums.sessions)"
    }
    #expect(words == rows)
    #expect(summation.total.minutes == 52 && summation.total.interruptionsMinutes == 2)
    #expect(summation.total.sessions == 4)
  }

  @Test(
    "count the days in a row with a focus, up to today or yesterday",
    arguments: [
      ([], 0, false), (["f24"], 1, false), (["f23"], 1, false), (["f22"], 0, true),
      (["r24", "r23"], 0, false),
      (["f24", "f24", "f23", "r22"], 2, false), (["f24", "f23", "f21"], 2, true),
      (["r24", "f23", "f22"], 2, false),
      (["f24", "r23", "f22"], 1, true), (["f23", "f22", "f20"], 2, true),
    ] as [([String], Int64, Bool)])
  func streak(_ days: [String], _ count: Int64, _ isOver: Bool) throws {
    let today = try #require(LocalDate(iso8601: "2026-11-24"))
    var found = FocusDays(until: today)
    for day in days {
      let date = try #require(LocalDate(iso8601: "2026-11-\(day.dropFirst())"))
      found.add(try Self.session(day.hasPrefix("f") ? .focus : .rest, "\(date.iso8601)T12:00:00Z"), on: date)
    }
    #expect(found.count == count && found.isOver == isOver)
  }
}
