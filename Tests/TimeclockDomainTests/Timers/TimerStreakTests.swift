import Testing

@testable import TimeclockDomain

@Suite("Streaks of timers")
struct TimerStreakTests {
  @Test("bring a long break after a number of focus sessions, and restart behind it")
  func longBreak() throws {
    var bench = TimerBench { $0.sessionsBeforeLongBreak = 3 }
    try bench.start(.focus, 60, at: 0)
    var now: Double = 0
    var types: [TimerType] = []
    var streaks: [Int64] = []
    for _ in 0..<9 {
      now += 30
      try bench.order(.skip, at: now)
      types.append(try #require(bench.timer.active).type)
      streaks.append(bench.timer.streak)
    }
    #expect(
      types == [
        .shortBreak, .focus, .shortBreak, .focus, .longBreak, .focus, .shortBreak, .focus, .shortBreak,
      ])
    #expect(streaks == [1, 1, 2, 2, 3, 0, 1, 1, 2])
  }

  @Test("count what ends and what is skipped, each once, and nothing that is stopped")
  func counted() throws {
    var bench = TimerBench()
    try bench.start(.focus, 60, at: 0)
    bench.look(at: 60)
    #expect(bench.timer.streak == 1)
    try bench.order(.skip, at: 61)
    #expect(bench.timer.streak == 1)
    try bench.start(.focus, 60, at: 62)
    try bench.order(.stop, at: 90)
    #expect(bench.timer.streak == 1 && bench.timer.lastFocusEnd == TimerBench.instant(60))
    try bench.start(.focus, 60, at: 91)
    try bench.start(.rest, 60, at: 100)
    bench.look(at: 170)
    #expect(bench.timer.streak == 1)
    try bench.start(.focus, 60, at: 180)
    try bench.order(.skip, at: 181)
    #expect(bench.timer.streak == 2 && bench.timer.lastFocusEnd == TimerBench.instant(181))
  }

  @Test("end with a long break that runs out or is skipped, not with one that is stopped")
  func endOfLongBreak() throws {
    for (end, streak) in [(.skip, 0), (nil, 0), (.stop, 2)] as [(TimerOrder?, Int64)] {
      var bench = TimerBench { $0.sessionsBeforeLongBreak = 2 }
      try bench.start(.focus, 60, at: 0)
      try bench.order(.skip, at: 10)
      try bench.order(.skip, at: 20)
      try bench.order(.skip, at: 30)
      #expect(bench.words == "longBreak running 30-930" && bench.timer.streak == 2)
      if let end { try bench.order(end, at: 40) } else { bench.look(at: 930) }
      #expect(bench.timer.streak == streak)
    }
  }

  @Test("go on for a focus, a long break and a quarter of an hour")
  func forgotten() throws {
    // 1,500 + 900 + 900 s.
    for (pause, streak) in [(3_299.999, 2), (3_300, 2), (3_300.001, 1)] as [(Double, Int64)] {
      var bench = TimerBench()
      try bench.start(.focus, 60, at: 0)
      bench.look(at: 60)
      try bench.start(.focus, 60, at: 60 + pause)
      bench.look(at: 200 + pause)
      #expect(bench.timer.streak == streak)
    }
    // By the settings at the time, and a break forgets nothing.
    var bench = TimerBench { $0.sessionsBeforeLongBreak = 1 }
    try bench.start(.focus, 60, at: 0)
    bench.look(at: 60)
    try bench.start(.shortBreak, 28_800, at: 70)
    bench.set(at: 80) { ($0.focusSeconds, $0.longBreakSeconds) = (60, 60) }
    #expect(bench.timer.streak == 1)
    try bench.start(.focus, 60, at: 1_081)
    #expect(bench.timer.streak == 0)
  }

  @Test("need breaks, and long ones")
  func withoutBreaks() throws {
    for (breaks, long, type) in [
      (true, true, .longBreak), (true, false, .shortBreak), (false, true, .focus), (false, false, .focus),
    ] as [(Bool, Bool, TimerType)] {
      var bench = TimerBench {
        ($0.breaksEnabled, $0.longBreaksEnabled, $0.sessionsBeforeLongBreak) = (breaks, long, 1)
      }
      try bench.start(.focus, 60, at: 0)
      bench.look(at: 60)
      #expect(bench.timer.pendingAction == (breaks ? .startBreak : .startFocus))
      try bench.order(.next, at: 70)
      #expect(bench.timer.active?.type == type && bench.timer.streak == 1)
    }
  }
}
