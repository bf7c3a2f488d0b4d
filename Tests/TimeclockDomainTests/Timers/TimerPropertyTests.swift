import Testing

@testable import TimeclockDomain

@Suite("Properties of timers")
struct TimerPropertyTests {
  /// A random life of a timer.
  private struct Life {
    var random: SeededRandom
    var bench: TimerBench
    var now: Double = 0

    init(seed: UInt64, startsByItself: Bool) {
      var random = SeededRandom(seed: seed)
      bench = TimerBench { settings in
        settings.focusSeconds = [60, 1_500, 28_800].randomElement(using: &random) ?? 60
        settings.shortBreakSeconds = [1, 300].randomElement(using: &random) ?? 1
        settings.sessionsBeforeLongBreak = Int64.random(in: 1...3, using: &random)
        settings.isCountdown = .random(using: &random)
        settings.breaksEnabled = Int.random(in: 0..<4, using: &random) > 0
        settings.pauseInBackground = .random(using: &random)
        settings.autoStartFocus = startsByItself && .random(using: &random)
        settings.autoStartBreak = startsByItself && .random(using: &random)
      }
      self.random = random
    }

    /// Lets some time pass, and does something.
    mutating func step() {
      let lengths: [Double] = [0, 0.001, 1, 49.999, 50, 300.001, 1_500, 1_800, 90_000]
      now += lengths.randomElement(using: &random) ?? 0
      let orders: [TimerOrder] = [
        .pause, .resume, .skip, .next, .stop, .adjust(milliseconds: 60_000),
        .adjust(milliseconds: -1_500_000),
      ]
      // Refusals change nothing, which the table tests.
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        let type = TimerType.allCases.randomElement(using: &random) ?? .focus
        _ = try? bench.start(type, at: now)
      case 1: try? bench.note(Bool.random(using: &random) ? .foreground : .background, at: now)
      case 2: bench.look(at: now)
      default: _ = try? bench.order(orders.randomElement(using: &random) ?? .stop, at: now)
      }
    }
  }

  @Test(
    "nothing changes before the instant that is due, and something at it", arguments: 0..<12 as Range<UInt64>)
  func due(_ seed: UInt64) throws {
    var life = Life(seed: seed, startsByItself: true)
    var count = 0
    for _ in 0..<60 {
      life.step()
      guard let due = life.bench.timer.dueAt else {
        #expect(life.bench.timer.active == nil)
        continue
      }
      count += 1
      let seconds = Double(due.milliseconds(since: TimerBench.zero)) / 1_000
      var before = life.bench
      before.look(at: seconds - 0.001)
      #expect(before.timer == life.bench.timer)
      before.look(at: seconds)
      #expect(before.timer.version > life.bench.timer.version)
    }
    #expect(count > 5)
  }

  @Test(
    "looking in between changes nothing, but for timers that start by themselves",
    arguments: 0..<12 as Range<UInt64>)
  func looks(_ seed: UInt64) {
    var life = Life(seed: seed, startsByItself: false)
    for _ in 0..<60 {
      life.step()
      var (once, often) = (life.bench, life.bench)
      let end = life.now + 200_000
      once.look(at: end)
      for seconds in stride(from: life.now, to: end, by: 799.7) { often.look(at: seconds) }
      often.look(at: end)
      #expect(once.timer == often.timer)
      #expect(once.sessionWords == often.sessionWords)
    }
  }

  @Test("sessions follow each other, and last as long as they say", arguments: 0..<12 as Range<UInt64>)
  func sessions(_ seed: UInt64) {
    var life = Life(seed: seed, startsByItself: true)
    for _ in 0..<300 { life.step() }
    life.bench.look(at: life.now + 1_000_000)
    #expect(life.bench.timer.active == nil)
    var last = TimerBench.zero
    for session in life.bench.sessions {
      #expect(session.startTime >= last && session.endTime > session.startTime)
      let length = session.endTime.milliseconds(since: session.startTime)
      #expect(session.seconds * 1_000 <= length && session.durationMinutes >= 1)
      if session.isWork { #expect(session.durationMinutes == (session.seconds + 10) / 60) }
      last = session.endTime
    }
    #expect(Set(life.bench.sessions.map(\.startTime)).count == life.bench.sessions.count)
  }
}
