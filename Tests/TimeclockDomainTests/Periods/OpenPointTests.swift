import Testing
import TimeclockDomain

@Suite("Open points of a member's dates")
struct OpenPointTests {
  /// Each case: the last dates that are approved and submitted, and the first and the last one of those that are looked at.
  @Test(
    "are looked for on the dates that are submitted and not approved, else on those that are over, the last 366",
    arguments: [
      (nil, nil, "2025-11-19", "2026-11-19"), ("2026-11-17", nil, "2026-11-18", "2026-11-19"),
      ("2026-11-17", "2026-11-17", "2026-11-18", "2026-11-19"),
      ("2026-11-16", "2026-11-18", "2026-11-17", "2026-11-18"),
      (nil, "2024-12-31", "2024-01-01", "2024-12-31"), ("2020-01-01", nil, "2025-11-19", "2026-11-19"),
      ("2026-11-19", "2026-11-19", nil, nil),
    ] as [(String?, String?, String?, String?)])
  func dates(_ approved: String?, _ submitted: String?, _ first: String?, _ last: String?) throws {
    let schedule = Schedule(rows: [], organizationZone: try PayrollSample.zone("Europe/Berlin"))
    let marks = PeriodDates(
      submitted: try (submitted ?? approved).map(PayrollSample.date),
      approved: try approved.map(PayrollSample.date))
    let open = OpenDates(of: schedule, marks, at: try #require(Instant(rfc3339: "2026-11-20T09:00:00Z")))
    #expect(open?.dates.lowerBound.iso8601 == first && open?.dates.upperBound.iso8601 == last)
  }
}
