import Testing
import TimeclockDomain

@Suite("Entitlements of a year")
struct EntitlementYearTests {
  private func year(
    _ entitlement: EntitlementRow, _ absences: [AbsenceRow], today: String = "2026-11-20"
  ) throws -> EntitlementYear {
    let schedule = try PayrollSample.schedule(("2025-01-01", try PayrollSample.week(of: 28_800)))
    let holidays = Holidays([.init(date: try PayrollSample.date("2026-12-24"), percent: 50)])
    let balance = MemberBalance(schedule: schedule, holidays: [1: holidays], absences: absences)
    return EntitlementYear(entitlement, of: balance, today: try PayrollSample.date(today))
  }

  private func entitlement(carried: Int64 = 0, expires: String? = nil, days: Int64 = 280_000) throws
    -> EntitlementRow
  {
    EntitlementRow(
      year: 2026, days: days, carriedDays: carried,
      carriedExpires: try expires.map { try PayrollSample.date($0) })
  }

  @Test("are used by the approved vacation of the year, also by that to come")
  func used() throws {
    let year = try year(
      entitlement(),
      [
        // Three of its five work days are in 2026.
        PayrollSample.absence(.vacation, "2025-12-30", "2026-01-05", number: 1),
        PayrollSample.absence(.vacation, "2026-12-24", nil, .half, number: 2),
        PayrollSample.absence(.sick, "2026-06-01", "2026-06-05", number: 3),
        PayrollSample.absence(.vacation, "2026-07-06", "2026-07-10", number: 4, state: .refused),
      ])
    #expect(year.usedDays == 3 * 10_000 + 2_500)
    #expect(year.remainingDays == 280_000 - 32_500)
    #expect(year.requestedDays == 0 && year.expiredDays == 0 && !year.isExceeded)
  }

  /// Each case: the date of the question, and the days used, expired and remaining of 28, and five carried until the end
  /// of March, of which two are used.
  @Test(
    "use carried days first, and lose what is left of them after their last date",
    arguments: [
      ("2026-01-01", 120_000, 0, 210_000), ("2026-03-31", 120_000, 0, 210_000),
      ("2026-04-01", 120_000, 30_000, 180_000), ("2027-02-01", 120_000, 30_000, 180_000),
    ] as [(String, Int64, Int64, Int64)])
  func carried(_ today: String, _ used: Int64, _ expired: Int64, _ remaining: Int64) throws {
    let year = try year(
      entitlement(carried: 50_000, expires: "2026-03-31"),
      [
        PayrollSample.absence(.vacation, "2026-03-30", "2026-03-31", number: 1),
        PayrollSample.absence(.vacation, "2026-08-03", "2026-08-14", number: 2),
      ], today: today)
    #expect(year.usedDays == used && year.usedOwnDays == 100_000)
    #expect(year.expiredDays == expired && year.remainingDays == remaining)
  }

  @Test("keep carried days that do not expire")
  func unlimited() throws {
    let vacation = try PayrollSample.absence(.vacation, "2026-12-28", "2026-12-31")
    let year = try year(entitlement(carried: 50_000), [vacation], today: "2027-06-01")
    #expect(year.usedDays == 40_000 && year.usedOwnDays == 0)
    #expect(year.expiredDays == 0 && year.remainingDays == 290_000)
  }

  @Test("use the year's own days once carried ones are used up, within one absence too")
  func both() throws {
    let vacation = try PayrollSample.absence(.vacation, "2026-03-23", "2026-04-02")
    let year = try year(entitlement(carried: 35_000, expires: "2026-03-25"), [vacation])
    // Nine days: three of them by the 25th.
    #expect(year.usedDays == 90_000 && year.usedOwnDays == 60_000 && year.expiredDays == 5_000)
  }

  @Test("count what requested vacation would use besides")
  func requested() throws {
    let year = try year(
      entitlement(),
      [
        PayrollSample.absence(.vacation, "2026-10-19", "2026-10-20", number: 1),
        PayrollSample.absence(.vacation, "2026-10-22", "2026-10-23", number: 2, state: .requested),
        // A half that is requested earlier takes the first half of the date, and both are vacation.
        PayrollSample.absence(.vacation, "2026-10-26", nil, .half, number: 3, state: .requested),
        PayrollSample.absence(.vacation, "2026-10-26", nil, .half, number: 4),
        PayrollSample.absence(.special, "2026-10-22", nil, number: 5, state: .requested),
        // Nothing is left of a sick day.
        PayrollSample.absence(.vacation, "2026-10-29", nil, number: 6, state: .requested),
        PayrollSample.absence(.sick, "2026-10-29", nil, number: 7),
      ])
    #expect(year.usedDays == 25_000 && year.requestedDays == 25_000 && year.remainingDays == 255_000)
  }

  @Test(
    "are exceeded if the dates have no days left, though carried days may be that were of no use to them",
    arguments: [
      (0, nil, 100_000, false), (0, nil, 99_999, true), (50_000, "2026-03-31", 100_000, false),
      (50_000, "2026-03-31", 99_999, true), (50_000, nil, 50_000, false), (50_000, nil, 49_999, true),
      (-10_000, nil, 110_000, false), (-10_000, nil, 109_999, true), (-10_000, "2026-03-31", 110_000, false),
    ] as [(Int64, String?, Int64, Bool)])
  func exceeded(_ carried: Int64, _ expires: String?, _ days: Int64, _ isExceeded: Bool) throws {
    let vacation = try PayrollSample.absence(.vacation, "2026-08-03", "2026-08-14")
    let year = try year(entitlement(carried: carried, expires: expires, days: days), [vacation])
    #expect(year.isExceeded == isExceeded)
  }
}
