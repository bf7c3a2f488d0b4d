import Testing

@testable import TimeclockDomain

@Suite("Reports of balances")
struct BalanceReportTests {
  private static let ana = UserKey(1)
  private static let ben = UserKey(2)

  @Test("have the target of a row whose hours change in the month, and the account after it")
  func halfTime() throws {
    let schedule = try PayrollSample.schedule(
      ("2026-10-01", try PayrollSample.week(of: 28_800)), ("2026-10-15", try PayrollSample.week(of: 14_400)))
    let report = try report(BalanceFacts(schedules: [Self.ana: schedule]), .month, "2026-10-01", "2026-11-10")
    #expect(report.rows.map(\.period) == [.month(year: 2026, month: 10), .month(year: 2026, month: 11)])
    #expect(report.rows.map(\.sums.target) == [460_800, 100_800])
    #expect(report.rows.map(\.carried) == [-460_800, -561_600])
    #expect(report.totalBalance == -561_600)
    #expect(report.countedThrough.iso8601 == "2026-11-19")
  }

  @Test("carry what came before the range")
  func carried() throws {
    let schedule = try PayrollSample.schedule(("2026-10-12", try PayrollSample.week(of: 28_800)))
    let facts = BalanceFacts(
      schedules: [Self.ana: schedule],
      adjustments: [Self.ana: [try dated("2026-10-12", 7_200), try dated("2026-10-20", -3_600)]])
    // The first week's target was worked, and an hour of the second's.
    let work =
      try (12...16).map { try shift(Self.ana, "2026-10-\($0)T06:00:00Z", 8) }
      + [try shift(Self.ana, "2026-10-19T06:00:00Z", 1)]
    let report = try report(facts, .user, "2026-10-19", "2026-10-20", of: work)
    let sums = try #require(report.rows.first?.sums)
    #expect(report.rows.count == 1 && sums == report.totals)
    #expect((sums.paid, sums.target, sums.adjustment) == (3_600, 57_600, -3_600))
    #expect(report.rows[0].carried == 7_200 + sums.balance)
  }

  @Test("count the work of each member's own dates")
  func ownDates() throws {
    let plan = try PayrollSample.week(of: 28_800)
    let zone = try PayrollSample.zone("Europe/Berlin")
    let atSix = Schedule(
      rows: [
        ScheduleRow(
          from: try PayrollSample.date("2026-10-01"), plan: plan, workdayStart: TimeOfDay("06:00"))
      ], organizationZone: zone)
    let atMidnight = try PayrollSample.schedule(("2026-10-01", plan))
    // The night in which an hour comes twice.
    let work = try [Self.ana, Self.ben].map { try shift($0, "2026-10-24T20:00:00Z", 9) }
    let report = try report(
      BalanceFacts(schedules: [Self.ana: atMidnight, Self.ben: atSix]), .day, "2026-10-24", "2026-10-25",
      of: work)
    #expect(report.rows.map(\.person.name) == ["Ana", "Ana", "Ben", "Ben"])
    #expect(report.rows.map(\.sums.paid) == [7_200, 25_200, 32_400, 0])
    #expect(report.totals.paid == 64_800)
  }

  /// Each case: the instant, the dates of the rows of Ana, whose dates begin at midnight, and of Ben, whose begin at 06:00,
  /// and the last counted one.
  @Test(
    "end with the last date that is over for the member",
    arguments: [
      ("2026-11-19T23:04:59Z", [17, 18], [17, 18], 18),
      ("2026-11-19T23:05:00Z", [17, 18, 19], [17, 18], 19),
      ("2026-11-20T05:05:00Z", [17, 18, 19], [17, 18, 19], 19),
    ] as [(String, [Int], [Int], Int)])
  func lastDates(_ asOf: String, _ ana: [Int], _ ben: [Int], _ last: Int) throws {
    let plan = try PayrollSample.week(of: 28_800)
    let atSix = ScheduleRow(
      from: try PayrollSample.date("2026-10-01"), plan: plan, workdayStart: TimeOfDay("06:00"))
    let schedules = [
      Self.ana: try PayrollSample.schedule(("2026-10-01", plan)),
      Self.ben: Schedule(rows: [atSix], organizationZone: try PayrollSample.zone("Europe/Berlin")),
    ]
    let report = try report(
      BalanceFacts(schedules: schedules), .day, "2026-11-17", "2026-11-20", asOf: asOf)
    let days = report.rows.map { row in
      if case .day(let date)? = row.period { date.day } else { 0 }
    }
    #expect(days == ana + ben)
    #expect(report.countedThrough.day == last)
    let future = try self.report(
      BalanceFacts(schedules: schedules), .day, "2026-11-17", "2026-11-20", asOf: asOf, future: true)
    #expect(future.rows.count == 8)
    #expect(future.rows.count { $0.carried == nil } == 8 - ana.count - ben.count)
    #expect(future.rows.allSatisfy { $0.sums.planned == 28_800 })
    #expect(future.totals.planned == 8 * 28_800 && future.totalBalance == report.totalBalance)
  }

  @Test("of weeks are of ISO's, over the end of the year")
  func weeks() throws {
    let schedule = try PayrollSample.schedule(("2026-10-01", try PayrollSample.week(of: 28_800)))
    let report = try report(
      BalanceFacts(schedules: [Self.ana: schedule]), .week, "2026-12-24", "2027-01-05",
      asOf: "2027-02-01T12:00:00Z")
    let first = try PayrollSample.date("2026-12-24")
    #expect(report.rows.map(\.period) == [0, 7, 14].map { .week(ISOWeek(first.adding(days: $0))) })
    #expect(report.rows.map(\.sums.planned) == [2, 5, 2].map { $0 * 28_800 })
  }

  @Test("have no rows of members without a schedule, before the first one, and of people who are unknown")
  func none() throws {
    let schedule = try PayrollSample.schedule(("2026-11-16", try PayrollSample.week(of: 28_800)))
    let work = [
      try shift(Self.ana, "2026-11-10T06:00:00Z", 8), try shift(Self.ben, "2026-11-17T06:00:00Z", 8),
    ]
    let facts = BalanceFacts(schedules: [Self.ana: schedule, UserKey(9): schedule])
    #expect(try report(facts, .day, "2026-11-01", "2026-11-15", of: work).rows.isEmpty)
    let report = try report(facts, .user, "2026-11-01", "2026-11-30", of: work)
    #expect(report.rows.map(\.person.name) == ["Ana"])
    #expect(report.totals.paid == 0 && report.totals.target == 4 * 28_800)
    let nothing = try self.report(BalanceFacts(schedules: [:]), .user, "2026-11-01", "2026-11-30", of: work)
    #expect(nothing.rows.isEmpty && nothing.totals == DaySums())
    #expect(nothing.countedThrough.iso8601 == "2026-11-19")
  }

  @Test("have the same totals and the same last account in every grouping, which is the account by itself")
  func groupings() throws {
    var random = RepeatableRandom(state: 44)
    for _ in 0..<20 {
      let facts = try Self.facts(&random)
      var entries: [WorkedEntry] = []
      var start = try PayrollSample.instant("2026-09-20T00:00:00Z")
      while start < (try PayrollSample.instant("2026-11-21T00:00:00Z")) {
        start = start.adding(milliseconds: Int64.random(in: 1...100_000_000, using: &random))
        let end = start.adding(milliseconds: Int64.random(in: 1...40_000_000, using: &random))
        let user = [Self.ana, Self.ben].randomElement(using: &random) ?? Self.ana
        entries.append(
          WorkedEntry(
            user: user, clockIn: start, clockOut: end, session: nil, source: .api, flags: [], id: nil))
        start = end
      }
      let reports = try BalanceGrouping.allCases.map {
        try report(facts, $0, "2026-10-05", "2026-11-15", of: entries)
      }
      #expect(Set(reports.map(\.totals)).count == 1)
      #expect(reports.allSatisfy { $0.totalBalance == $0.totals.balance })
      let accounts = reports.map { report in
        Dictionary(report.rows.map { ($0.person.name, $0.carried) }) { $1 }
      }
      #expect(Set(accounts).count == 1)
      for report in reports {
        for (before, row) in zip(report.rows, report.rows.dropFirst()) where before.person == row.person {
          #expect(row.carried == before.carried.map { $0 + row.sums.balance })
        }
      }
      let all = try report(facts, .user, "2026-09-01", "2026-11-30", of: entries)
      for (user, name) in [(Self.ana, "Ana"), (Self.ben, "Ben")] {
        let account = try account(of: user, facts, entries)
        #expect(account.balance == all.rows.first { $0.person.name == name }?.carried)
      }
    }
  }

  @Test("stand beside the current week")
  func week() throws {
    let schedule = try PayrollSample.schedule(("2026-11-09", try PayrollSample.week(of: 28_800)))
    let facts = BalanceFacts(
      schedules: [Self.ana: schedule],
      absences: [Self.ana: [try PayrollSample.absence(.vacation, "2026-11-20")]])
    // Now is Friday, 2026-11-20, 13:00. An hour of today counts in the week, and not in the account.
    let entries = [
      try shift(Self.ana, "2026-11-15T12:00:00Z", 2), try shift(Self.ana, "2026-11-16T12:00:00Z", 3),
      try shift(Self.ana, "2026-11-20T11:00:00Z", 1),
    ]
    let account = try account(of: Self.ana, facts, entries)
    #expect(account.countedThrough.iso8601 == "2026-11-19")
    #expect(account.balance == 5 * 3_600 - 9 * 28_800)
    #expect(account.weekPaid == 4 * 3_600)
    #expect(account.weekTarget == 4 * 28_800)
    var policy = Policy.standard
    policy.weekStart = .sunday
    let bySunday = try self.account(of: Self.ana, facts, entries, policy)
    #expect(bySunday.weekPaid == 6 * 3_600 && bySunday.weekTarget == 4 * 28_800)
  }

  @Test("have nothing without a schedule, and begin with its first date")
  func noAccount() throws {
    let plan = try PayrollSample.week(of: 28_800)
    let work = [try shift(Self.ana, "2026-11-20T11:00:00Z", 1)]
    for (from, balance) in [("2026-11-21", 0), ("2026-11-20", 0), ("2026-11-19", -28_800)]
      as [(String, Int64)]
    {
      let facts = BalanceFacts(schedules: [Self.ana: try PayrollSample.schedule((from, plan))])
      let account = try account(of: Self.ana, facts, work)
      #expect(account.balance == balance)
      #expect(account.weekPaid == 3_600)
    }
    let without = try account(of: Self.ana, BalanceFacts(schedules: [:]), work)
    #expect(without.balance == 0 && without.weekPaid == 3_600 && without.weekTarget == 0)
  }
}

extension BalanceReportTests {
  private func report(
    _ facts: BalanceFacts, _ grouping: BalanceGrouping, _ first: String, _ last: String,
    of entries: [WorkedEntry] = [], asOf: String = "2026-11-20T12:00:00Z", future: Bool = false
  ) throws -> BalanceReport {
    let calculation = BalanceCalculation(
      facts,
      BalanceRequest(
        startDate: try PayrollSample.date(first), endDate: try PayrollSample.date(last), grouping: grouping,
        includesFuture: future), in: try PayrollSample.zone("Europe/Berlin"), by: .standard,
      asOf: try PayrollSample.instant(asOf))
    // A reading gives no others.
    let read = entries.filter { entry in
      guard let span = calculation.paid.span, let end = entry.clockOut else { return false }
      return entry.clockIn < span.end && end > span.start
    }
    return calculation.report(of: Self.time(read))
  }

  private func account(
    of user: UserKey, _ facts: BalanceFacts, _ entries: [WorkedEntry], _ policy: Policy = .standard
  ) throws -> MemberAccount {
    let calculation = AccountCalculation(
      facts, of: user, in: try PayrollSample.zone("Europe/Berlin"), by: PayRulesCalendar(policy),
      asOf: try PayrollSample.instant("2026-11-20T12:00:00Z"))
    return calculation.account(of: Self.time(entries.filter { $0.user == user }))
  }

  private static func time(_ entries: [WorkedEntry]) -> WorkedTime {
    let people = [ana: "Ana", ben: "Ben"].map { user, name in
      (
        user,
        ReportedPerson(
          id: UserID(high: 1, low: UInt64(user.value)), name: name, storedEmail: "", personnelNumber: nil)
      )
    }
    return WorkedTime(entries: entries, people: Dictionary(uniqueKeysWithValues: people), sessions: [:])
  }

  private func shift(_ user: UserKey, _ start: String, _ hours: Int64) throws -> WorkedEntry {
    let clockIn = try PayrollSample.instant(start)
    return WorkedEntry(
      user: user, clockIn: clockIn, clockOut: clockIn.adding(milliseconds: hours * 3_600_000), session: nil,
      source: .api, flags: [], id: nil)
  }

  private func dated(_ date: String, _ seconds: Int64) throws -> DatedSeconds {
    DatedSeconds(date: try PayrollSample.date(date), seconds: seconds)
  }

  /// Two members' schedules with zones and starts of their own, and adjustments.
  private static func facts(_ random: inout RepeatableRandom) throws -> BalanceFacts {
    var facts = BalanceFacts(schedules: [:])
    let first = try PayrollSample.date("2026-09-25")
    for user in [ana, ben] {
      let rows = try (0..<3).map { number in
        ScheduleRow(
          from: first.adding(days: 12 * number + Int.random(in: 0...10, using: &random)),
          plan: try PayrollSample.week(of: Int64.random(in: 0...30_000, using: &random)),
          zone: try ["Asia/Kathmandu", "America/New_York"].randomElement(using: &random)
            .map(PayrollSample.zone), workdayStart: TimeOfDay("0\(Int.random(in: 0...9, using: &random)):30"))
      }
      facts.schedules[user] = Schedule(
        rows: rows, organizationZone: try PayrollSample.zone("Europe/Berlin"))
      facts.adjustments[user] = (0..<5).map { _ in
        DatedSeconds(
          date: first.adding(days: Int.random(in: 0...50, using: &random)),
          seconds: Int64.random(in: -9_000...9_000, using: &random))
      }
    }
    return facts
  }
}
