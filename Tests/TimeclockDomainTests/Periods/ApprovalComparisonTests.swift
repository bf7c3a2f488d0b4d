import Testing

@testable import TimeclockDomain

@Suite("Approvals compared with the present")
struct ApprovalComparisonTests {
  private static let ana = UserKey(1)
  private static let ben = UserKey(2)

  @Test("stand while all their dates are approved, and none of them was approved again")
  func standing() throws {
    // The first and the last day of each approval, in the order in which they were made.
    for (dates, approved, expected) in [
      ([(1, 5), (6, 14), (15, 20)], 20, [0, 1, 2]),
      // Reopened to a date, and not approved again.
      ([(1, 5), (6, 14), (15, 20)], 17, [0, 1]), ([(1, 5), (6, 14), (15, 20)], 14, [0, 1]),
      ([(1, 5), (6, 14), (15, 20)], 13, [0]), ([(1, 5), (6, 14), (15, 20)], 4, []),
      // Reopened in the middle, and approved again behind it.
      ([(1, 5), (6, 14), (11, 20)], 20, [0, 2]), ([(1, 14), (6, 20)], 17, []),
      // From the beginning.
      ([(1, 5), (6, 14), (1, 20)], 20, [2]), ([(1, 5), (4, 4), (5, 9)], 9, [1, 2]), ([], 9, []),
    ] as [([(Int, Int)], Int, [Int64])] {
      let approvals = try dates.enumerated().map { number, dates in
        try approval(of: Self.ana, Int64(number), dates.0, dates.1, paid: 0)
      }
      let found = StandingApproval.standing(of: approvals.reversed(), approved: try day(approved))
      #expect(found.map(\.row).sorted() == expected, "\(dates) \(approved)")
    }
  }

  @Test("differ by what is paid for the same dates now")
  func differences() throws {
    let approvals = try [
      approval(of: Self.ben, 1, 12, 13, paid: 3_600), approval(of: Self.ana, 2, 12, 13, paid: 36_000),
      approval(of: Self.ana, 3, 14, 14, paid: 0), approval(of: Self.ana, 4, 10, 11, paid: 60),
      approval(of: Self.ben, 5, 14, 14, paid: 1),
    ]
    let zone = try PayrollSample.zone("Europe/Berlin")
    let comparison = ApprovalComparison(
      approvals, by: [:], others: Schedule(rows: [], organizationZone: zone), rules: .standard,
      asOf: try #require(Instant(rfc3339: "2026-11-20T09:00:00Z")))
    // From 22:00 of the 13th to 06:00 of the 14th in Berlin, and work before all of it.
    let time = WorkedTime(
      entries: try [
        work(of: Self.ana, "2026-10-13T20:00:00Z", hours: 8),
        work(of: Self.ben, "2026-10-12T08:00:00Z", hours: 1),
        work(of: Self.ana, "2026-10-09T08:00:00Z", hours: 1),
      ],
      people: [Self.ana: person(1), Self.ben: person(2)], sessions: [:])
    let expected = try [
      difference(person(1), 10, 11, by: -60), difference(person(1), 12, 13, by: 7_200 - 36_000),
      difference(person(1), 14, 14, by: 21_600), difference(person(2), 14, 14, by: -1),
    ]
    #expect(comparison.differences(in: time) == expected)
  }

  private func difference(
    _ person: ReportedPerson, _ from: Int, _ through: Int, by seconds: Int64
  ) throws -> ApprovalDifference {
    ApprovalDifference(person: person, from: try day(from), through: try day(through), seconds: seconds)
  }

  private func day(_ number: Int) throws -> LocalDate {
    try #require(LocalDate(year: 2026, month: 10, day: number))
  }

  private func approval(
    of user: UserKey, _ number: Int64, _ from: Int, _ through: Int, paid: Int64
  ) throws -> StandingApproval {
    StandingApproval(
      user: user, row: number, from: try day(from), through: try day(through), paidSeconds: paid)
  }

  private func person(_ number: UInt64) -> ReportedPerson {
    ReportedPerson(id: UserID(high: 1, low: number), name: "Ana", storedEmail: "", personnelNumber: nil)
  }

  private func work(of user: UserKey, _ start: String, hours: Int64) throws -> WorkedEntry {
    let start = try #require(Instant(rfc3339: start))
    return WorkedEntry(
      user: user, clockIn: start, clockOut: start.adding(milliseconds: hours * 3_600_000), session: nil,
      source: .api, flags: [], id: nil)
  }
}
