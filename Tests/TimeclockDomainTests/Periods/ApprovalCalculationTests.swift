import Testing

@testable import TimeclockDomain

@Suite("Totals of an approval")
struct ApprovalCalculationTests {
  private static let ana = UserKey(1)

  @Test("are those of the dates behind the ones that are approved already")
  func range() throws {
    // From Monday, 12 October on.
    let schedule = try PayrollSample.schedule(("2026-10-12", try PayrollSample.week(of: 28_800)))
    let facts = BalanceFacts(
      schedules: [Self.ana: schedule],
      adjustments: [
        Self.ana: [
          DatedSeconds(date: try PayrollSample.date("2026-10-14"), seconds: 600),
          DatedSeconds(date: try PayrollSample.date("2026-10-20"), seconds: 7),
        ]
      ])
    let entries = try (12...20).map { try work("2026-10-\($0)T06:00:00Z", hours: 9) }
    let first = try approval(facts, after: nil, firstEntry: "2026-10-12", through: "2026-10-14", of: entries)
    #expect((first.from.iso8601, first.through.iso8601) == ("2026-10-12", "2026-10-14"))
    #expect((first.plannedSeconds, first.targetSeconds) == (86_400, 86_400))
    #expect((first.paidSeconds, first.adjustmentSeconds) == (97_200, 600))
    #expect(first.balanceSeconds == 97_200 - 86_400 + 600)
    let second = try approval(
      facts, after: "2026-10-14", firstEntry: nil, through: "2026-10-18", of: entries)
    #expect((second.from.iso8601, second.through.iso8601) == ("2026-10-15", "2026-10-18"))
    #expect((second.targetSeconds, second.paidSeconds) == (57_600, 4 * 32_400))
    #expect(second.adjustmentSeconds == 0 && second.balanceSeconds == 4 * 32_400 - 57_600)
  }

  @Test("have the work before the first schedule, and of a member without one, in what is paid alone")
  func unscheduled() throws {
    let entries = try [work("2026-10-01T06:00:00Z", hours: 2), work("2026-10-12T06:00:00Z", hours: 3)]
    let none = try approval(
      BalanceFacts(schedules: [:]), after: nil, firstEntry: "2026-10-01", through: "2026-10-31", of: entries)
    #expect(none.from.iso8601 == "2026-10-01" && none.paidSeconds == 18_000)
    #expect((none.plannedSeconds, none.targetSeconds, none.balanceSeconds) == (0, 0, 0))
    let schedule = try PayrollSample.schedule(("2026-10-12", try PayrollSample.week(of: 28_800)))
    let late = try approval(
      BalanceFacts(schedules: [Self.ana: schedule]), after: nil, firstEntry: "2026-10-01",
      through: "2026-10-12", of: entries)
    #expect(late.from.iso8601 == "2026-10-01" && late.paidSeconds == 18_000)
    #expect((late.targetSeconds, late.balanceSeconds) == (28_800, 10_800 - 28_800))
  }

  @Test("go back to the first date that was ever approved, if none is any more")
  func again() throws {
    let entries = [try work("2026-10-12T06:00:00Z", hours: 2)]
    for (first, through, from) in [
      ("2026-10-01", "2026-10-31", "2026-10-01"), ("2026-10-20", "2026-10-31", "2026-10-12"),
      ("2026-10-01", "2026-09-20", "2026-09-20"),
    ] {
      let found = try approval(
        BalanceFacts(schedules: [:]), after: nil, firstApproved: first, firstEntry: "2026-10-12",
        through: through, of: entries)
      #expect(found.from.iso8601 == from)
    }
  }

  @Test("of nothing are nothing, on the last date")
  func nothing() throws {
    let nothing = try approval(
      BalanceFacts(schedules: [:]), after: nil, firstEntry: nil, through: "2026-10-31", of: [])
    #expect((nothing.from.iso8601, nothing.through.iso8601) == ("2026-10-31", "2026-10-31"))
    #expect(nothing.paidSeconds == 0)
  }

  @Test("have the overtime of weeks that began before them")
  func overtime() throws {
    // Nine hours a day from Monday, 28 September, to Saturday, 3 October.
    let entries = try ["09-28", "09-29", "09-30", "10-01", "10-02", "10-03"].map {
      try work("2026-\($0)T06:00:00Z", hours: 9)
    }
    func found(_ rules: PayRules, after former: String?, through: String) throws -> [Int64?] {
      let approval = try approval(
        BalanceFacts(schedules: [:]), after: former, firstEntry: "2026-09-28", through: through,
        by: PayRulesCalendar(before: rules), of: entries)
      return [approval.paidSeconds, approval.dailyOvertimeSeconds, approval.weeklyOvertimeSeconds]
    }
    var rules = PayRulesCalendar.standard[.earliest]
    #expect(try found(rules, after: nil, through: "2026-10-03") == [194_400, 0, 0])
    rules.weeklyOvertimeSeconds = 144_000
    #expect(try found(rules, after: nil, through: "2026-09-30") == [97_200, 0, 0])
    // Of Friday 18,000, and all of Saturday.
    #expect(try found(rules, after: "2026-09-30", through: "2026-10-03") == [97_200, 0, 50_400])
    #expect(try found(rules, after: "2026-09-30", through: "2026-10-02") == [64_800, 0, 18_000])
    rules.dailyOvertimeSeconds = 28_800
    // An hour a day; of the other eight, those of Saturday.
    #expect(try found(rules, after: "2026-09-30", through: "2026-10-03") == [97_200, 10_800, 28_800])
  }

  private func approval(
    _ facts: BalanceFacts, after former: String?, firstApproved: String? = nil, firstEntry: String?,
    through: String, by rules: PayRulesCalendar = .standard, of entries: [WorkedEntry]
  ) throws -> Approval {
    let calculation = ApprovalCalculation(
      facts, of: Self.ana, after: try former.map(PayrollSample.date),
      firstApproved: try firstApproved.map(PayrollSample.date),
      firstEntry: try firstEntry.map(PayrollSample.date), through: try PayrollSample.date(through),
      in: try PayrollSample.zone("Europe/Berlin"), by: rules,
      asOf: try #require(Instant(rfc3339: "2026-11-20T09:00:00Z")))
    var approval = Approval(
      head: Head(
        id: ApprovalID(high: 1, low: 1), organizationID: OrganizationID(high: 2, low: 2), at: .earliest))
    calculation.total(WorkedTime(entries: entries, people: [:], sessions: [:]), in: &approval)
    return approval
  }

  private func work(_ start: String, hours: Int64) throws -> WorkedEntry {
    let start = try #require(Instant(rfc3339: start))
    return WorkedEntry(
      user: Self.ana, clockIn: start, clockOut: start.adding(milliseconds: hours * 3_600_000), session: nil,
      source: .api, flags: [], id: nil)
  }
}
