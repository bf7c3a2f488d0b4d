import Testing

@testable import TimeclockDomain

@Suite("Caps of an account")
struct CapCalculationTests {
  private static let ana = UserKey(1)
  private static let hour: Int64 = 3_600

  struct Case: Sendable {
    /// The hours that are worked on each date from Monday, 12 October, through Friday.
    var hours: Int64
    /// Seconds on the Monday.
    var adjusted: [Int64] = []
    var above: Int64?
    var below: Int64?
    var through = "2026-10-16"
    var booked: [Int64]
  }

  /// Eight hours are owed from Monday through Friday.
  @Test(
    "make it stand at the cap that it is beyond",
    arguments: [
      Case(hours: 9, above: 3 * hour, booked: [-2 * hour]), Case(hours: 9, above: 5 * hour, booked: []),
      Case(hours: 9, above: 5 * hour - 1, booked: [-1]), Case(hours: 9, above: 0, booked: [-5 * hour]),
      Case(hours: 9, below: 0, booked: []), Case(hours: 9, above: 3 * hour, below: 0, booked: [-2 * hour]),
      Case(hours: 0, below: -20 * hour, booked: [20 * hour]), Case(hours: 0, below: -40 * hour, booked: []),
      Case(hours: 0, below: 0, booked: [40 * hour]), Case(hours: 0, above: 0, booked: []),
      // Adjustments count, an earlier cap too.
      Case(hours: 8, adjusted: [10 * hour], above: 3 * hour, booked: [-7 * hour]),
      Case(hours: 8, adjusted: [10 * hour, -7 * hour], above: 3 * hour, booked: []),
      // Only the dates through the last one count.
      Case(hours: 9, above: 3 * hour, through: "2026-10-14", booked: []),
      Case(hours: 9, above: hour, through: "2026-10-13", booked: [-hour]),
      // One adjustment has ten thousand hours at most.
      Case(
        hours: 8, adjusted: [36_000_000, 36_000_000, 36_000_001], above: 0,
        booked: [-36_000_000, -36_000_000, -36_000_000, -1]),
    ])
  func booked(_ one: Case) throws {
    var policy = Policy.standard
    (policy.balanceCapAbove, policy.balanceCapBelow) = (one.above, one.below)
    let monday = try PayrollSample.date("2026-10-12")
    let facts = BalanceFacts(
      schedules: [
        Self.ana: try PayrollSample.schedule(("2026-10-12", try PayrollSample.week(of: 28_800)))
      ],
      adjustments: [Self.ana: one.adjusted.map { DatedSeconds(date: monday, seconds: $0) }])
    let calculation = try #require(
      CapCalculation(
        facts, of: Self.ana, through: try PayrollSample.date(one.through), by: policy,
        PayRulesCalendar(policy), asOf: try now()))
    let entries = try (12...16).map { day in
      let start = try #require(Instant(rfc3339: "2026-10-\(day)T06:00:00Z"))
      return WorkedEntry(
        user: Self.ana, clockIn: start, clockOut: start.adding(milliseconds: one.hours * 3_600_000),
        session: nil, source: .api, flags: [], id: nil)
    }
    let time = WorkedTime(entries: one.hours > 0 ? entries : [], people: [:], sessions: [:])
    #expect(calculation.adjustments(in: time) == one.booked)
  }

  @Test("are none without a cap, and of a member without a schedule by then")
  func none() throws {
    let schedule = try PayrollSample.schedule(("2026-10-12", try PayrollSample.week(of: 28_800)))
    let facts = BalanceFacts(schedules: [Self.ana: schedule])
    var capped = Policy.standard
    capped.balanceCapBelow = 0
    for (facts, through, policy, isThere) in [
      (facts, "2026-10-12", capped, true), (facts, "2026-10-11", capped, false),
      (facts, "2026-10-12", .standard, false), (BalanceFacts(schedules: [:]), "2026-10-12", capped, false),
    ] as [(BalanceFacts, String, Policy, Bool)] {
      let calculation = CapCalculation(
        facts, of: Self.ana, through: try PayrollSample.date(through), by: policy, PayRulesCalendar(policy),
        asOf: try now())
      #expect((calculation != nil) == isThere, "\(through)")
    }
  }

  private func now() throws -> Instant { try #require(Instant(rfc3339: "2026-11-20T09:00:00Z")) }
}
