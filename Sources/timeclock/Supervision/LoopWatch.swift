import EventLoops
import Metrics
import Synchronization

/// Asks event loops whether they turn: hands each of them a piece of work, and sees when it runs.
final class LoopWatch: Sendable {
  /// A loop, and the time at which it was asked; 0 once it has answered.
  private final class Probe: Sendable {
    let loop: EventLoop
    let asked = Atomic<Int64>(0)

    init(_ loop: EventLoop) {
      self.loop = loop
    }
  }

  /// The times until the loops answered, in nanoseconds.
  let lag = Histogram(bounds: Histogram.times)
  private let probes = Mutex<[Probe]>([])

  /// Asks these loops from now on.
  func watch(_ loops: [EventLoop]) {
    probes.withLock { $0 = loops.map(Probe.init) }
  }

  /// Asks every loop that has answered the last time.
  func ask() {
    for probe in probes.withLock({ $0 }) where probe.asked.load(ordering: .acquiring) == 0 {
      probe.asked.store(EventLoop.monotonicNow(), ordering: .releasing)
      let isTaken = probe.loop.perform { [lag] in
        let asked = probe.asked.exchange(0, ordering: .acquiringAndReleasing)
        lag.observe(Int(EventLoop.monotonicNow() - asked))
      }
      // A loop that has ended hangs nothing up.
      if !isTaken { probe.asked.store(0, ordering: .releasing) }
    }
  }

  /// For how long each loop has not answered, in nanoseconds; 0 for those that have.
  var stalls: [Int] {
    let now = EventLoop.monotonicNow()
    return probes.withLock { $0 }.map { probe in
      let asked = probe.asked.load(ordering: .acquiring)
      return asked == 0 ? 0 : Int(max(0, now - asked))
    }
  }
}
