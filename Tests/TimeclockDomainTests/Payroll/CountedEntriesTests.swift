import Testing

@testable import TimeclockDomain

@Suite("Entries by the dates that they count for")
struct CountedEntriesTests {
  private static let ana = UserID(high: 1, low: 1)
  private static let ben = UserID(high: 1, low: 2)

  /// Each case: start, end, nil while active, and the date that the entry counts for on 2026-11-19 and 2026-11-20, nil if it is
  /// none of their entries: of Ana, whose dates begin at 06:00, and of Ben, who has no schedule; by start, and by overlap.
  @Test(
    "are those of a range, by their start or by a moment",
    arguments: [
      ("2026-11-20T02:00:00+01:00", "2026-11-20T08:00:00+01:00", ["19", "20", "19", "20"]),
      ("2026-11-19T02:00:00+01:00", "2026-11-19T06:00:00+01:00", [nil, "19", nil, "19"]),
      ("2026-11-19T02:00:00+01:00", "2026-11-19T06:00:00.001+01:00", [nil, "19", "18", "19"]),
      ("2026-11-20T23:00:00+01:00", nil, ["20", "20", "20", "20"]),
      ("2026-11-21T05:59:59+01:00", nil, ["20", nil, "20", nil]),
      ("2026-11-21T06:00:00+01:00", nil, [nil, nil, nil, nil]),
      ("2026-11-18T23:00:00+01:00", nil, [nil, nil, "18", "18"]),
    ] as [(String, String?, [String?])])
  func range(_ start: String, _ end: String?, _ expected: [String?]) throws {
    let found = try [TimeEntryMatch.start, .overlap].flatMap { match in
      let counted = try counted(match, "2026-11-19", "2026-11-20")
      return try [Self.ana, Self.ben].map { user in
        let date = counted.counted(try entry(of: user, start, end))?.date.iso8601
        return date.map { String($0.suffix(2)) }
      }
    }
    #expect(found == expected)
  }

  @Test("are all of them without dates")
  func open() throws {
    for match in [TimeEntryMatch.start, .overlap] {
      let counted = try counted(match, nil, nil)
      let entry = try entry(of: Self.ana, "2026-11-20T02:00:00+01:00", nil)
      #expect(counted.counted(entry)?.date.iso8601 == "2026-11-19")
      #expect(
        counted.range
          == (match == .start ? .dates(from: nil, through: nil) : .overlapping(from: nil, to: nil)))
    }
  }

  @Test("are all in the range to read, whatever zones members and entries have")
  func reading() throws {
    var random = RepeatableRandom(state: 45)
    let zones = try ["Etc/GMT+12", "Pacific/Kiritimati", "Europe/Berlin"].map(PayrollSample.zone)
    let day = try PayrollSample.date("2026-11-20")
    var found = 0
    for _ in 0..<500 {
      let row = ScheduleRow(
        from: .earliest, plan: try PayrollSample.week(of: 28_800), zone: zones.randomElement(using: &random),
        workdayStart: TimeOfDay(["00:00", "23:59"].randomElement(using: &random) ?? "12:00"))
      let schedule = Schedule(rows: [row], organizationZone: zones[2])
      let counted = CountedEntries(
        by: [Self.ana: schedule], others: Schedule(rows: [], organizationZone: zones[2]), from: day,
        through: day, match: .start)
      var entry = try entry(of: Self.ana, "2026-11-20T12:00:00Z", nil)
      entry.clockInTime = entry.clockInTime.adding(
        milliseconds: Int64.random(in: -200_000_000...200_000_000, using: &random))
      let own = (zones.randomElement(using: &random) ?? zones[0]).localDate(at: entry.clockInTime)
      guard counted.counted(entry) != nil else { continue }
      found += 1
      guard case .dates(let first?, let last?) = counted.range else {
        Issue.record("No dates to read")
        return
      }
      #expect(first <= own && own <= last)
    }
    #expect(found > 50)
  }

  private func counted(_ match: TimeEntryMatch, _ first: String?, _ last: String?) throws -> CountedEntries {
    let row = ScheduleRow(
      from: try PayrollSample.date("2026-01-01"), plan: try PayrollSample.week(of: 28_800),
      workdayStart: TimeOfDay("06:00"))
    let zone = try PayrollSample.zone("Europe/Berlin")
    return CountedEntries(
      by: [Self.ana: Schedule(rows: [row], organizationZone: zone)],
      others: Schedule(rows: [], organizationZone: zone), from: try first.map(PayrollSample.date),
      through: try last.map(PayrollSample.date), match: match)
  }

  private func entry(of user: UserID, _ start: String, _ end: String?) throws -> TimeEntry {
    let start = try PayrollSample.instant(start)
    return TimeEntry(
      id: TimeEntryID(high: 1, low: 1), userID: user, organizationID: OrganizationID(high: 1, low: 3),
      clockInTime: start, clockOutTime: try end.map(PayrollSample.instant), date: .earliest,
      timeZone: try PayrollSample.zone("UTC").identifier, offsetSeconds: 0, sessionID: nil, notes: nil,
      source: .api, flags: [], version: 1, createdAt: start, updatedAt: start)
  }
}
