import Testing

@testable import PostgreSQLStorage

@Suite("The clocks of this machine and of PostgreSQL")
struct ClockComparisonTests {
  /// The server's times, in milliseconds from the question, and the length of the answer; and the seconds reported, 0
  /// that they agree again, nil for nothing.
  @Test(
    "are reported if they differ by more than a second, once, and again if that changes",
    arguments: [
      [(5, 10, nil), (900, 10, nil), (-990, 10, nil)],
      [(1_500, 10, 1), (1_500, 10, nil), (2_400, 10, nil), (9_000, 10, 8), (100, 10, 0), (100, 10, nil)],
      [(-5_000, 10, -5), (-5_400, 10, nil), (5_000, 10, 4), (-5_000, 10, -5)],
      // A slow answer says little.
      [(2_000, 1_500, nil), (2_000, 3_000, nil), (-1_200, 5_000, -1)],
    ] as [[(Int64, Int64, Int?)]])
  func lines(_ answers: [(server: Int64, time: Int64, told: Int?)]) {
    var clocks = ClockComparison()
    let now: Int64 = 1_795_165_200_000
    for answer in answers {
      let line = clocks.note(server: now + answer.server, asked: now, answered: now + answer.time)
      let expected: String? =
        switch answer.told {
        case nil: nil
        case 0: "agree again"
        case let seconds? where seconds > 0: "\(seconds) seconds behind PostgreSQL's"
        case let seconds?: "\(-seconds) seconds ahead of PostgreSQL's"
        }
      #expect((line == nil) == (expected == nil), "\(line ?? "nothing")")
      if let expected { #expect(line?.contains(expected) == true, "\(line ?? "nothing")") }
    }
  }
}
