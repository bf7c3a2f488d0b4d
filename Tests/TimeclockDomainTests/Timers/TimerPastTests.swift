import Testing

@testable import TimeclockDomain

@Suite("A queue that comes after an end")
struct TimerPastTests {
  private func focus(_ seconds: Int64 = 1_500) -> TimerOrder {
    .start(
      TimerStart(
        type: .focus, durationSeconds: seconds, isCountdown: nil, purpose: TimerPurpose(label: nil),
        subject: nil, routine: nil, isAutomatic: false))
  }

  @Test("takes the end back, and what it left", arguments: [1_500, 3_300, 3_300.001, 90_000] as [Double])
  func pause(_ noticed: Double) throws {
    var bench = TimerBench()
    try bench.order(focus(), at: 0)
    bench.look(at: noticed)
    #expect(bench.sessionWords == ["focus 0-1500 25/0 finished"])
    let version = bench.timer.version
    try bench.send(.pause, notedAt: 600, at: noticed)
    #expect(bench.words == (noticed < 87_000 ? "focus paused 0-1500" : "none"))
    #expect(bench.timer.streak == 0 && bench.timer.version > version)
    bench.look(at: noticed)
    try bench.send(.resume, notedAt: 900, at: noticed)
    bench.look(at: noticed)
    bench.look(at: 90_000)
    #expect(bench.sessionWords == ["focus 0-1800 25/5 finished"])
    #expect(bench.timer.streak == 1)
  }

  @Test("begins at its own time, though what was before was dismissed later")
  func start() throws {
    var bench = TimerBench()
    try bench.order(focus(), at: 0)
    bench.look(at: 9_000)
    #expect(bench.words == "none")
    try bench.send(focus(), notedAt: 1_600, at: 9_000)
    #expect(bench.sessionWords == ["focus 0-1500 25/0 finished", "focus 1600-3100 25/0 finished"])
    #expect(bench.timer.streak == 2)
  }

  @Test("takes back a round that began by itself")
  func round() throws {
    var bench = TimerBench { $0.autoStartBreak = true }
    bench.set(at: 0) { $0.autoStartFocus = true }
    try bench.order(focus(), at: 0)
    for seconds in stride(from: 0.0, to: 6_000, by: 100) { bench.look(at: seconds) }
    #expect(bench.sessions.count > 4)
    try bench.send(.stop, notedAt: 1_560, at: 6_000)
    #expect(bench.words == "none")
    #expect(bench.sessionWords == ["focus 0-1500 25/0 finished", "shortBreak 1500-1560 1/0 stopped"])
  }

  @Test(
    "takes back a set that a rest has counted, unless the routine was stated since", arguments: [false, true])
  func sets(_ isStated: Bool) throws {
    var bench = TimerBench()
    bench.put(
      TimerRoutine(
        name: nil, startTime: TimerBench.zero, currentItem: nil, currentSet: 1, totalSets: 5,
        itemsCompleted: 0,
        totalItems: 1))
    try bench.start(.rest, 90, at: 0)
    bench.look(at: 100)
    #expect(bench.timer.routine?.currentSet == 2)
    if isStated {
      var routine = try #require(bench.timer.routine)
      routine.currentSet = 4
      bench.state(routine, at: 100)
    }
    try bench.send(.pause, notedAt: 60, at: 110)
    #expect(bench.timer.routine?.currentSet == (isStated ? 4 : 1))
    try bench.send(.resume, notedAt: 80, at: 120)
    #expect(bench.words == "rest finished 0-110")
    #expect(bench.timer.routine?.currentSet == (isStated ? 5 : 2))
  }

  @Test("takes nothing back if it is refused, or starts nothing")
  func refused() throws {
    var bench = TimerBench { $0.restEnabled = false }
    try bench.order(focus(), at: 0)
    bench.look(at: 9_000)
    let before = bench.timer
    #expect(throws: TimeclockError.self) { try bench.send(.resume, notedAt: 600, at: 9_000) }
    let rest = TimerStart(
      type: .rest, durationSeconds: nil, isCountdown: nil, purpose: TimerPurpose(label: nil), subject: nil,
      routine: nil, isAutomatic: true)
    try bench.send(.start(rest), notedAt: 600, at: 9_000)
    #expect(bench.timer == before)
    #expect(bench.sessionWords == ["focus 0-1500 25/0 finished"])
  }

  @Test("takes nothing back that a command did, or an app that came back")
  func sealed() throws {
    var bench = TimerBench { $0.pauseInBackground = true }
    try bench.order(focus(), at: 0)
    try bench.note(.background, at: 10)
    bench.look(at: 400)
    #expect(bench.words == "focus paused 0-1500")
    try bench.note(.foreground, at: 410)
    // As of the return: it runs again.
    try bench.send(.adjust(milliseconds: 60_000), notedAt: 320, at: 500)
    #expect(bench.words == "focus running 0-1660")
    #expect(bench.timer.updatedAt == TimerBench.instant(410))
  }

  @Test(
    "makes the same in one part and in many, whichever instance notices something meanwhile",
    arguments: 0..<40 as Range<UInt64>)
  func parts(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var noted: [(order: TimerOrder, seconds: Double)] = []
    var seconds: Double = 0
    for _ in 0..<30 {
      let lengths: [Double] = [0, 1, 49.999, 50, 600, 1_500, 1_800, 1_800.001, 90_000]
      seconds += lengths.randomElement(using: &random) ?? 0
      let orders: [TimerOrder] = [
        focus(60), focus(), .pause, .pause, .resume, .resume, .skip, .next, .next, .stop,
        .adjust(milliseconds: 60_000), .adjust(milliseconds: -1_500_000),
      ]
      noted.append((orders.randomElement(using: &random) ?? .stop, seconds))
    }
    let now = seconds + 1_000_000
    var live = TimerBench()
    var (whole, cut) = (live, live)
    for (order, seconds) in noted {
      // Each as it comes is refused or not as the others are: refusals are no matter here.
      _ = try? live.order(order, at: seconds)
      _ = try? whole.send(order, notedAt: seconds, at: seconds)
      _ = try? cut.send(order, notedAt: seconds, at: now)
      if Bool.random(using: &random) { cut.look(at: now) }
    }
    live.look(at: now)
    whole.look(at: now)
    cut.look(at: now)
    #expect(whole.sessionWords == live.sessionWords)
    #expect(cut.sessionWords == live.sessionWords)
    #expect(cut.timer.active == nil && cut.timer.streak == live.timer.streak)
    #expect(cut.timer.lastFocusEnd == live.timer.lastFocusEnd)
  }
}
