import Foundation
import Testing
import TimeclockDomain

@Suite("Wall clocks")
struct WallClockTests {
  @Test("the system's clock agrees with Foundation's")
  func readsTheSystem() {
    let before = Int64(Date().timeIntervalSince1970 * 1000) - 1
    let now = WallClock.system.now.millisecondsSince1970
    let after = Int64(Date().timeIntervalSince1970 * 1000) + 1
    #expect(before <= now)
    #expect(now <= after)
  }

  @Test("another clock answers what it was given")
  func answersAsTold() {
    let clock = WallClock { Instant(millisecondsSince1970: 42) }
    #expect(clock.now == Instant(millisecondsSince1970: 42))
  }
}
