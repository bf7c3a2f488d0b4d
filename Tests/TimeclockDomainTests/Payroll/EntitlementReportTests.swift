import Testing

@testable import TimeclockDomain

@Suite("Reports of entitlements")
struct EntitlementReportTests {
  private static let people = [UserKey(1): "Zoe", UserKey(2): "Ana", UserKey(3): "Ben"].mapValues { name in
    ReportedPerson(
      id: UserID(high: 1, low: UInt64(name.count)), name: name, storedEmail: "", personnelNumber: nil)
  }

  @Test("have a row of each member with an entitlement, by name, and use nothing without a schedule")
  func rows() throws {
    let schedule = try PayrollSample.schedule(("2026-01-01", try PayrollSample.week(of: 28_800)))
    let vacation = [
      try PayrollSample.absence(.vacation, "2026-11-19", "2026-11-20"),
      try PayrollSample.absence(.vacation, "2026-12-01", number: 2, state: .requested),
    ]
    let facts = BalanceFacts(
      schedules: [UserKey(1): schedule, UserKey(3): schedule],
      absences: [UserKey(1): vacation, UserKey(2): vacation, UserKey(3): vacation])
    let entitlement = EntitlementRow(
      year: 2026, days: 300_000, carriedDays: 25_000, carriedExpires: try PayrollSample.date("2026-11-19"))
    // The fourth is nobody who is known.
    let entitlements = [UserKey(1): entitlement, UserKey(2): entitlement, UserKey(4): entitlement]
    for (asOf, expired) in [("2026-11-19T22:59:59Z", 0), ("2026-11-19T23:00:00Z", 15_000)]
      as [(String, Int64)]
    {
      let report = EntitlementReport(
        entitlements, facts, people: Self.people, in: try PayrollSample.zone("Europe/Berlin"),
        asOf: try PayrollSample.instant(asOf))
      #expect(report.rows.map(\.person.name) == ["Ana", "Zoe"])
      #expect(report.rows.map(\.use.usedDays) == [0, 20_000])
      #expect(report.rows.map(\.use.requestedDays) == [0, 10_000])
      #expect(report.rows[1].use.expiredDays == expired)
    }
  }
}
