import Testing

@testable import PostgreSQLStorage

@Suite("Calls that no connection was free for")
struct ExpiryTallyTests {
  @Test("are reported at once, and then together every ten seconds at most")
  func reports() {
    let interval = ExpiryTally.interval
    var tally = ExpiryTally()
    let steps: [(count: Int, time: Int64, report: Int?)] = [
      (2, 5, 2), (1, 5, nil), (3, 4 + interval, nil), (1, 5 + interval, 5),
      (1, 6 + interval, nil), (7, 4 + 2 * interval, nil), (1, 90 * interval, 9), (1, 92 * interval, 1),
    ]
    for step in steps {
      #expect(tally.add(step.count, at: step.time) == step.report, "at \(step.time)")
    }
  }
}
