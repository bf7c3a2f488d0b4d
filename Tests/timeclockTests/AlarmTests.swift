import Synchronization
import Testing
import TimeclockDomain

@testable import timeclock

@Suite("An alarm")
struct AlarmTests {
  /// A clock that is set by hand.
  private final class Hands: Sendable {
    private let time = Mutex<Int64>(1_000)

    var clock: WallClock { WallClock { [self] in Instant(millisecondsSince1970: time.withLock { $0 }) } }

    func set(_ milliseconds: Int64) {
      time.withLock { $0 = milliseconds }
    }
  }

  private static func instant(_ milliseconds: Int64) -> Instant {
    Instant(millisecondsSince1970: milliseconds)
  }

  /// Waits for an alarm, and counts when it has gone off.
  private final class Sleeper: Sendable {
    private let rings = Atomic(0)

    /// How many times it has gone off.
    var count: Int { rings.load(ordering: .sequentiallyConsistent) }

    func wait(for alarm: Alarm, by hands: Hands, atMost longest: Duration = .milliseconds(20)) async {
      await alarm.wait(by: hands.clock, atMost: longest)
      rings.add(1, ordering: .sequentiallyConsistent)
    }
  }

  @Test("goes off at the first instant that was set, once, also by a clock that jumps")
  func first() async {
    let (alarm, hands) = (Alarm(), Hands())
    for due in [9_000, 5_000, 7_000] as [Int64] { alarm.set(Self.instant(due)) }
    await withTaskGroup(of: Void.self) { group in
      let sleeper = Sleeper()
      group.addTask { await sleeper.wait(for: alarm, by: hands) }
      hands.set(4_999)
      try? await Task.sleep(for: .milliseconds(60))
      #expect(sleeper.count == 0)
      hands.set(5_000)
    }
    // It is off now, until it is set again.
    await withTaskGroup(of: Void.self) { group in
      let sleeper = Sleeper()
      hands.set(100_000)
      group.addTask { await sleeper.wait(for: alarm, by: hands) }
      try? await Task.sleep(for: .milliseconds(60))
      #expect(sleeper.count == 0)
      alarm.set(nil)
    }
  }

  @Test("that sleeps for long is set to an earlier instant, to now, and ended")
  func earlier() async {
    for wake in ["earlier", "now", "end"] {
      let (alarm, hands) = (Alarm(), Hands())
      if wake != "end" { alarm.set(Self.instant(1_000_000)) }
      let waiting = Task { await alarm.wait(by: hands.clock, atMost: .seconds(1_000)) }
      try? await Task.sleep(for: .milliseconds(30))
      switch wake {
      case "earlier": alarm.set(Self.instant(1_000))
      case "now": alarm.set(nil)
      default: waiting.cancel()
      }
      await waiting.value
    }
  }

  @Test("misses nothing that many set while it is waited for")
  func many() async {
    let (alarm, hands, sleeper) = (Alarm(), Hands(), Sleeper())
    let count = 2_000
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<count { await sleeper.wait(for: alarm, by: hands, atMost: .seconds(1_000)) }
      }
      group.addTask {
        // Each is set after the one before has gone off, from another thread, at any moment of the waiting.
        for number in 0..<count {
          alarm.set(number.isMultiple(of: 2) ? nil : Self.instant(500))
          while sleeper.count == number { await Task.yield() }
        }
      }
    }
    #expect(sleeper.count == count)
  }
}
