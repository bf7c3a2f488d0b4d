import Testing

@testable import TimeclockDomain

/// Two days, worked out by hand.
@Suite("Days with timers")
struct TimerDayTests {
  @Test(
    "of three focus sessions: a pause, an added minute, a skipped break, a long break, an app that is killed")
  func focusDay() throws {
    var bench = TimerBench {
      $0.sessionsBeforeLongBreak = 3
      $0.autoStartBreak = true
    }
    // 08:00, 25 min, with a pause from 08:10 to 08:15.
    try bench.start(.focus, at: 0, label: "Reading")
    try bench.order(.pause, at: 600)
    try bench.order(.resume, at: 900)
    #expect(bench.words == "focus running 0-1800")
    // 08:20: a minute more. It ends at 08:31.
    try bench.order(.adjust(milliseconds: 60_000), at: 1_200)
    #expect(bench.words == "focus running 0-1860")
    // The break starts by itself, and is skipped at 08:31:40: less than 50 s are no session.
    bench.look(at: 1_860.4)
    #expect(bench.words == "shortBreak running 1860-2160" && bench.timer.isAutoStarted)
    #expect(try bench.order(.skip, at: 1_900) == nil)
    #expect(bench.words == "focus running 1900-3400" && bench.timer.streak == 1)
    // The app is killed; nobody looks before 08:59:10. The focus has ended at 08:56:40, and the break runs.
    bench.look(at: 3_550)
    #expect(bench.words == "shortBreak running 3400-3700" && bench.timer.streak == 2)
    // Its end at 09:01:40 is there to be gone on from.
    bench.look(at: 3_700)
    #expect(bench.words == "shortBreak finished 3400-3700" && bench.timer.pendingAction == .startFocus)
    try bench.order(.next, at: 3_760)
    #expect(bench.words == "focus running 3760-5260" && !bench.timer.isAutoStarted)
    // The third brings the long break, which ends the streak.
    bench.look(at: 5_260)
    #expect(bench.words == "longBreak running 5260-6160" && bench.timer.streak == 3)
    bench.look(at: 6_160)
    #expect(bench.words == "longBreak finished 5260-6160" && bench.timer.streak == 0)
    // Nobody goes on.
    bench.look(at: 6_160 + 1_801)
    #expect(bench.words == "none")
    #expect(
      bench.sessionWords == [
        "focus 0-1860 26/5 finished", "focus 1900-3400 25/0 finished", "shortBreak 3400-3700 5/0 finished",
        "focus 3760-5260 25/0 finished", "longBreak 5260-6160 15/0 finished",
      ])
    #expect(bench.sessions.allSatisfy { $0.label == "Reading" })
    #expect(bench.sessions.map(\.seconds) == [1_560, 1_500, 300, 1_500, 900])
    #expect(bench.sessions.filter(\.isWork).map(\.durationMinutes).reduce(0, +) == 76)
  }

  @Test("of a workout: a rest, longer and shorter, the next set, the last set")
  func workout() throws {
    var bench = TimerBench { $0.restBySubject = ["squats": 120] }
    let squats = TimerSubject(id: "squats", name: "Squats")
    let start = TimerOrder.start(
      TimerStart(
        type: .rest, durationSeconds: nil, isCountdown: nil, purpose: TimerPurpose(), subject: squats,
        routine: nil, isAutomatic: true))
    // 10:00, three sets; the first is done at 10:01.
    bench.put(
      TimerRoutine(
        name: "Legs", startTime: TimerBench.zero, currentItem: "Squats", currentSet: 1, totalSets: 3,
        itemsCompleted: 0, totalItems: 2))
    #expect(try bench.orderAutomatic(start, at: 60).notStarted == nil)
    #expect(bench.words == "rest running 60-180")
    // +15, and twice -15.
    try bench.order(.adjust(milliseconds: 15_000), at: 70)
    try bench.order(.adjust(milliseconds: -15_000), at: 80)
    try bench.order(.adjust(milliseconds: -15_000), at: 90)
    #expect(bench.words == "rest running 60-165" && bench.timer.active?.adjustedMilliseconds == -15_000)
    // It ends at 165 s, and counts the set.
    bench.look(at: 166)
    #expect(bench.words == "rest finished 60-165" && bench.timer.routine?.currentSet == 2)
    // The second set is done at 230 s; this rest is skipped, for the third set begins.
    #expect(try bench.orderAutomatic(start, at: 230).notStarted == nil)
    try bench.order(.skip, at: 260)
    #expect(bench.words == "none" && bench.timer.routine?.currentSet == 2)
    // The app counts it by itself then, and after the last set no rest begins.
    bench.put(
      TimerRoutine(
        name: "Legs", startTime: TimerBench.zero, currentItem: "Squats", currentSet: 3, totalSets: 3,
        itemsCompleted: 0, totalItems: 2))
    #expect(try bench.orderAutomatic(start, at: 300).notStarted == .lastSet)
    #expect(bench.words == "none")
    #expect(bench.sessionWords == ["rest 60-165 1/0 finished"])
    #expect(bench.sessions[0].seconds == 105 && bench.timer.streak == 0)
  }
}
