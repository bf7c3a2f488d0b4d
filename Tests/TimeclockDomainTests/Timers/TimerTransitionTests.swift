import Testing

@testable import TimeclockDomain

@Suite("Transitions of timers")
struct TimerTransitionTests {
  /// Something that a timer is in before a command at 100 s.
  enum Before: String, CaseIterable {
    case none
    case runningFocus
    case runningUp
    case pausedFocus
    case pausedUp
    case finishedFocus
    case runningBreak
    case finishedBreak
    case runningLongBreak
    case runningRest
    case pausedRest
    case finishedRest

    func bench() throws -> TimerBench {
      var bench = TimerBench()
      switch self {
      case .none: break
      case .runningFocus: try bench.start(.focus, 300, at: 0)
      case .runningUp: try bench.start(.focus, at: 0, isCountdown: false)
      case .pausedFocus:
        try bench.start(.focus, 300, at: 0)
        try bench.order(.pause, at: 70)
      case .pausedUp:
        try bench.start(.focus, at: 0, isCountdown: false)
        try bench.order(.pause, at: 70)
      case .finishedFocus: try bench.start(.focus, 60, at: 0)
      case .runningBreak: try bench.start(.shortBreak, 300, at: 0)
      case .finishedBreak: try bench.start(.shortBreak, 60, at: 0)
      case .runningLongBreak: try bench.start(.longBreak, 300, at: 0)
      case .runningRest: try bench.start(.rest, 300, at: 0)
      case .pausedRest:
        try bench.start(.rest, 300, at: 0)
        try bench.order(.pause, at: 70)
      case .finishedRest: try bench.start(.rest, 60, at: 0)
      }
      return bench
    }
  }

  struct Row: Sendable {
    let before: Before
    let order: TimerOrder
    /// The timer afterwards, or the code of the refusal.
    let after: String
    /// The session that the order left.
    let session: String?

    init(_ before: Before, _ order: TimerOrder, _ after: String, _ session: String? = nil) {
      (self.before, self.order, self.after, self.session) = (before, order, after, session)
    }
  }

  private static let rest = TimerOrder.start(
    TimerStart(
      type: .rest, durationSeconds: 90, isCountdown: nil, purpose: TimerPurpose(), subject: nil, routine: nil,
      isAutomatic: false))

  private static let started = "rest running 100-190"

  static let rows = [
    Row(.none, rest, started),
    Row(.runningFocus, rest, started, "focus 0-100 1/0 stopped"),
    Row(.runningUp, rest, started, "focus 0-100 1/0 stopped"),
    // 70 s of work, and half a minute of pause.
    Row(.pausedFocus, rest, started, "focus 0-100 1/0 stopped"),
    Row(.pausedUp, rest, started, "focus 0-100 1/0 stopped"),
    Row(.finishedFocus, rest, started),
    Row(.runningBreak, rest, started, "shortBreak 0-100 1/0 stopped"),
    Row(.finishedBreak, rest, started),
    Row(.runningLongBreak, rest, started, "longBreak 0-100 1/0 stopped"),
    Row(.runningRest, rest, started, "rest 0-100 1/0 stopped"),
    Row(.pausedRest, rest, started, "rest 0-100 1/0 stopped"),
    Row(.finishedRest, rest, started),

    Row(.none, .pause, "no_timer"),
    Row(.runningFocus, .pause, "focus paused 0-300"),
    Row(.runningUp, .pause, "focus paused 0-?"),
    Row(.pausedFocus, .pause, "timer_not_running"),
    Row(.pausedUp, .pause, "timer_not_running"),
    Row(.finishedFocus, .pause, "timer_not_running"),
    Row(.runningBreak, .pause, "shortBreak paused 0-300"),
    Row(.finishedBreak, .pause, "timer_not_running"),
    Row(.runningLongBreak, .pause, "longBreak paused 0-300"),
    Row(.runningRest, .pause, "rest paused 0-300"),
    Row(.pausedRest, .pause, "timer_not_running"),
    Row(.finishedRest, .pause, "timer_not_running"),

    Row(.none, .resume, "no_timer"),
    Row(.runningFocus, .resume, "timer_not_paused"),
    Row(.runningUp, .resume, "timer_not_paused"),
    Row(.pausedFocus, .resume, "focus running 0-330"),
    Row(.pausedUp, .resume, "focus running 0-?"),
    Row(.finishedFocus, .resume, "timer_not_paused"),
    Row(.runningBreak, .resume, "timer_not_paused"),
    Row(.finishedBreak, .resume, "timer_not_paused"),
    Row(.runningLongBreak, .resume, "timer_not_paused"),
    Row(.runningRest, .resume, "timer_not_paused"),
    Row(.pausedRest, .resume, "rest running 0-330"),
    Row(.finishedRest, .resume, "timer_not_paused"),

    Row(.none, .adjust(milliseconds: 60_000), "no_timer"),
    Row(.runningFocus, .adjust(milliseconds: 60_000), "focus running 0-360"),
    Row(.runningUp, .adjust(milliseconds: 60_000), "not_a_countdown"),
    Row(.pausedFocus, .adjust(milliseconds: -15_000), "focus paused 0-285"),
    Row(.pausedUp, .adjust(milliseconds: 60_000), "not_a_countdown"),
    Row(.finishedFocus, .adjust(milliseconds: 60_000), "timer_not_running"),
    Row(.runningBreak, .adjust(milliseconds: 15_000), "shortBreak running 0-315"),
    Row(.finishedBreak, .adjust(milliseconds: 60_000), "timer_not_running"),
    Row(
      .runningLongBreak, .adjust(milliseconds: -200_000), "longBreak finished 0-100",
      "longBreak 0-100 1/0 finished"),
    Row(.runningRest, .adjust(milliseconds: -15_000), "rest running 0-285"),
    Row(.pausedRest, .adjust(milliseconds: 15_000), "rest paused 0-315"),
    Row(.finishedRest, .adjust(milliseconds: 15_000), "timer_not_running"),

    Row(.none, .skip, "no_timer"),
    Row(.runningFocus, .skip, "shortBreak running 100-400", "focus 0-100 1/0 skipped"),
    Row(.runningUp, .skip, "shortBreak running 100-400", "focus 0-100 1/0 skipped"),
    Row(.pausedFocus, .skip, "shortBreak running 100-400", "focus 0-100 1/0 skipped"),
    Row(.pausedUp, .skip, "shortBreak running 100-400", "focus 0-100 1/0 skipped"),
    Row(.finishedFocus, .skip, "shortBreak running 100-400"),
    Row(.runningBreak, .skip, "focus running 100-1600", "shortBreak 0-100 1/0 skipped"),
    Row(.finishedBreak, .skip, "focus running 100-1600"),
    Row(.runningLongBreak, .skip, "focus running 100-1600", "longBreak 0-100 1/0 skipped"),
    Row(.runningRest, .skip, "none"),
    Row(.pausedRest, .skip, "none"),
    Row(.finishedRest, .skip, "none"),

    Row(.none, .next, "no_timer"),
    Row(.runningFocus, .next, "timer_not_finished"),
    Row(.runningUp, .next, "timer_not_finished"),
    Row(.pausedFocus, .next, "timer_not_finished"),
    Row(.pausedUp, .next, "timer_not_finished"),
    Row(.finishedFocus, .next, "shortBreak running 100-400"),
    Row(.runningBreak, .next, "timer_not_finished"),
    Row(.finishedBreak, .next, "focus running 100-1600"),
    Row(.runningLongBreak, .next, "timer_not_finished"),
    Row(.runningRest, .next, "timer_not_finished"),
    Row(.pausedRest, .next, "timer_not_finished"),
    Row(.finishedRest, .next, "no_pending_action"),

    Row(.none, .stop, "no_timer"),
    Row(.runningFocus, .stop, "none", "focus 0-100 1/0 stopped"),
    Row(.runningUp, .stop, "none", "focus 0-100 1/0 stopped"),
    Row(.pausedFocus, .stop, "none", "focus 0-100 1/0 stopped"),
    Row(.pausedUp, .stop, "none", "focus 0-100 1/0 stopped"),
    Row(.finishedFocus, .stop, "none"),
    Row(.runningBreak, .stop, "none", "shortBreak 0-100 1/0 stopped"),
    Row(.finishedBreak, .stop, "none"),
    Row(.runningLongBreak, .stop, "none", "longBreak 0-100 1/0 stopped"),
    Row(.runningRest, .stop, "none", "rest 0-100 1/0 stopped"),
    Row(.pausedRest, .stop, "none", "rest 0-100 1/0 stopped"),
    Row(.finishedRest, .stop, "none"),
  ]

  @Test("are those of the table", arguments: rows)
  func table(_ row: Row) throws {
    var bench = try row.before.bench()
    bench.look(at: 100)
    let before = bench.timer
    do {
      let session = try bench.order(row.order, at: 100)
      #expect(bench.words == row.after)
      #expect(session.map(TimerBench.words) == row.session)
      #expect(bench.timer.version > before.version)
      #expect(bench.timer.updatedAt == TimerBench.instant(100))
      #expect(bench.timer.lastCommandTime == TimerBench.instant(100))
    } catch let refusal as TimeclockError {
      #expect(refusal.code == row.after)
      #expect(row.session == nil)
      #expect(bench.timer == before)
      if case .timerConflict(_, let timer) = refusal { #expect(timer == before) }
    }
  }

  @Test("have a row for each pair of them")
  func everyPair() {
    #expect(Self.rows.count == Before.allCases.count * 7)
    let words = Set(Self.rows.map { "\($0.before) \(String(describing: $0.order).prefix(4))" })
    #expect(words.count == Self.rows.count)
  }

  @Test("start with what is stated, or with the settings")
  func start() throws {
    var bench = TimerBench { settings in
      settings.focusSeconds = 3_000
      settings.restBySubject = ["squats": 180]
    }
    try bench.start(.focus, at: 1, label: "Reading")
    let focus = try #require(bench.timer.active)
    #expect(bench.words == "focus running 1-3001")
    #expect(focus.originalMilliseconds == 3_000_000 && focus.adjustedMilliseconds == 0 && !focus.wasAdjusted)
    #expect(focus.lastStartTime == focus.startTime && focus.pausedMilliseconds == 0)
    #expect(focus.label == "Reading" && focus.isCountdown && bench.timer.pendingAction == nil)
    for (type, seconds, subject) in [
      (.focus, 3_000, nil), (.shortBreak, 300, nil), (.longBreak, 900, nil), (.rest, 90, nil),
      (.rest, 180, "squats"), (.rest, 90, "rows"), (.focus, 3_000, "squats"),
    ] as [(TimerType, Int64, String?)] {
      try bench.start(type, at: 2, subject: subject.map { TimerSubject(id: $0, name: $0) })
      #expect(bench.timer.active?.originalMilliseconds == seconds * 1_000)
      #expect(bench.timer.active?.subject?.id == subject)
    }
    #expect(bench.sessions.isEmpty)
  }

  @Test("count up to a limit as the settings had it at the start")
  func countUp() throws {
    var bench = TimerBench { $0.isCountdown = false }
    try bench.start(.focus, at: 0)
    #expect(bench.timer.active?.isCountdown == false)
    bench.set(at: 10) { $0.countUpLimitSeconds = 60 }
    try bench.order(.pause, at: 100)
    try bench.order(.resume, at: 160)
    bench.look(at: 28_859.999)
    #expect(bench.words == "focus running 0-?" && bench.timer.dueAt == TimerBench.instant(28_860))
    bench.look(at: 28_860)
    #expect(bench.words == "focus finished 0-28860")
    #expect(bench.sessionWords == ["focus 0-28860 480/1 finished"])
    #expect(bench.sessions[0].seconds == 28_800)
    try bench.start(.focus, at: 29_000)
    bench.look(at: 29_060)
    #expect(bench.words == "focus finished 29000-29060")
  }

  @Test("do not start an automatic rest without rests, or at the last set")
  func automatic() throws {
    let start = TimerOrder.start(
      TimerStart(
        type: .rest, durationSeconds: nil, isCountdown: nil, purpose: TimerPurpose(), subject: nil,
        routine: nil, isAutomatic: true))
    for (isEnabled, sets, reason) in [
      (true, nil, nil), (true, (2, 3), nil), (true, (3, 3), .lastSet), (true, (4, 3), .lastSet),
      (true, (0, 0), .lastSet), (false, nil, .disabled), (false, (2, 3), .disabled),
    ] as [(Bool, (Int64, Int64)?, TimerNotStarted?)] {
      var bench = TimerBench { $0.restEnabled = isEnabled }
      bench.put(sets.map { routine(set: $0.0, of: $0.1) })
      try bench.start(.focus, at: 0)
      let before = bench.timer
      let result = try bench.orderAutomatic(start, at: 60)
      #expect(result.notStarted == reason)
      #expect((bench.timer == before) == (reason != nil))
      #expect((result.session == nil) == (reason != nil))
      // A timer that is started by hand does not ask.
      try bench.start(.rest, at: 61)
      #expect(bench.timer.active?.type == .rest)
    }
    var bench = TimerBench { $0.restEnabled = false }
    try bench.start(.focus, at: 0, isAutomatic: true)
    #expect(bench.words == "focus running 0-1500")
  }

  @Test("take the routine that comes with a start, and judge an automatic one by it")
  func routineOfStart() throws {
    var bench = TimerBench()
    bench.put(routine(set: 3, of: 3))
    func start(_ routine: TimerRoutine) -> TimerOrder {
      .start(
        TimerStart(
          type: .rest, durationSeconds: nil, isCountdown: nil, purpose: TimerPurpose(), subject: nil,
          routine: routine, isAutomatic: true))
    }
    #expect(try bench.orderAutomatic(start(routine(set: 1, of: 1)), at: 0).notStarted == .lastSet)
    #expect(bench.timer.routine == routine(set: 3, of: 3))
    #expect(try bench.orderAutomatic(start(routine(set: 1, of: 5)), at: 1).notStarted == nil)
    #expect(bench.timer.routine == routine(set: 1, of: 5))
  }

  private func routine(set: Int64, of sets: Int64) -> TimerRoutine {
    TimerRoutine(
      name: nil, startTime: TimerBench.zero, currentItem: nil, currentSet: set, totalSets: sets,
      itemsCompleted: 0, totalItems: 0)
  }

  @Test("carry label, project and task on to what follows, and the subject not")
  func purpose() throws {
    var bench = TimerBench()
    try bench.start(.focus, 60, at: 0, label: "Reading", subject: TimerSubject(id: "a", name: "A"))
    try bench.order(.skip, at: 60)
    #expect(bench.timer.active?.label == "Reading" && bench.timer.active?.subject == nil)
    try bench.order(.skip, at: 120)
    #expect(bench.timer.active?.type == .focus && bench.timer.active?.label == "Reading")
    // A break that somebody starts belongs to the focus before it, unless it says otherwise.
    try bench.start(.longBreak, at: 180)
    #expect(bench.timer.active?.label == "Reading")
    try bench.start(.longBreak, at: 240, label: "Nap")
    #expect(bench.timer.active?.label == "Nap")
    try bench.start(.focus, at: 300)
    #expect(bench.timer.active?.label == nil)
    try bench.start(.rest, at: 360, label: "Squats")
    try bench.start(.shortBreak, at: 420)
    #expect(bench.timer.active?.label == nil)
    #expect(
      bench.sessions.map(\.label) == ["Reading", "Reading", "Reading", "Reading", "Nap", nil, "Squats"])
  }
}
