import Testing
import TimeclockDomain

@Suite("The ends of marks")
struct PeriodEndsTests {
  private func end(_ seconds: Int64) -> PeriodEnd {
    PeriodEnd(through: .earliest, until: Instant(millisecondsSince1970: seconds * 1_000))
  }

  @Test("Time has the state of the strongest mark that ends behind its start")
  func states() {
    let marks = PeriodEnds(submitted: end(300), approved: end(200), locked: end(100))
    let instants: [(Int64, PeriodState.Word)] = [
      (-1, .locked), (99_999, .locked), (100_000, .approved), (199_999, .approved), (200_000, .submitted),
      (299_999, .submitted), (300_000, .unsubmitted),
    ]
    for (milliseconds, state) in instants {
      #expect(marks.state(of: Instant(millisecondsSince1970: milliseconds)) == state, "\(milliseconds)")
    }
    #expect(PeriodEnds().state(of: Instant(millisecondsSince1970: 0)) == .unsubmitted)
    #expect(PeriodEnds(submitted: end(1)).state(of: Instant(millisecondsSince1970: 0)) == .submitted)
  }
}
