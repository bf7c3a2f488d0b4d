import Testing

@testable import TimeclockDomain

@Suite("Rules of timers")
struct TimerRuleTests {
  private func validated(_ command: TimerCommand, at now: Instant = TimerBench.zero) throws -> TimerOrder {
    try command.validated(at: now, work: SegmentPurpose())
  }

  @Test("bound lengths and adjustments")
  func lengths() throws {
    for (seconds, isAllowed) in [(0, false), (1, true), (28_800, true), (28_801, false), (-1, false)]
      as [(Int64, Bool)]
    {
      let start = TimerCommand.start(StartTimerRequest(type: .rest, durationSeconds: seconds))
      if isAllowed {
        _ = try validated(start)
      } else {
        #expect(throws: TimeclockError.invalidTimerDuration) { try validated(start) }
      }
    }
    for (seconds, isAllowed) in [
      (0, false), (1, true), (-1, true), (28_800, true), (-28_800, true), (28_801, false), (-28_801, false),
      (.min, false), (.max, false),
    ] as [(Int64, Bool)] {
      if isAllowed {
        #expect(try validated(.adjust(seconds: seconds)) == .adjust(milliseconds: seconds * 1_000))
      } else {
        #expect(throws: TimeclockError.invalidTimerDuration) { try validated(.adjust(seconds: seconds)) }
      }
    }
  }

  @Test("let a focus alone count up")
  func direction() throws {
    for type in TimerType.allCases {
      for isCountdown in [nil, true, false] as [Bool?] {
        let start = TimerCommand.start(StartTimerRequest(type: type, isCountdown: isCountdown))
        if type != .focus, isCountdown == false {
          #expect(throws: TimeclockError.mustCountDown) { try validated(start) }
        } else {
          _ = try validated(start)
        }
      }
    }
    var bench = TimerBench { $0.isCountdown = false }
    for (type, isCountdown) in [(.focus, false), (.shortBreak, true), (.longBreak, true), (.rest, true)]
      as [(TimerType, Bool)]
    {
      try bench.start(type, at: 0)
      #expect(bench.timer.active?.isCountdown == isCountdown)
    }
    try bench.start(.focus, at: 0, isCountdown: true)
    #expect(bench.timer.active?.isCountdown == true)
  }

  @Test("trim words, and refuse those that are too long")
  func words() throws {
    let start = StartTimerRequest(
      type: .rest, label: "  ", subject: TimerSubject(id: " squats ", name: " Squats "),
      routine: RoutineRequest(
        name: " Legs", currentItem: "", currentSet: 1, totalSets: 999, itemsCompleted: 0, totalItems: 0))
    guard case .start(let order) = try validated(.start(start)) else { return #expect(Bool(false)) }
    #expect(order.purpose == TimerPurpose() && order.purpose.isEmpty)
    #expect(order.subject == TimerSubject(id: "squats", name: "Squats"))
    #expect(order.routine?.name == "Legs" && order.routine?.currentItem == nil)
    #expect(order.routine?.startTime == TimerBench.zero)
    let long = String(repeating: "a", count: 201)
    for (change, refusal) in [
      ({ $0.label = long }, .invalidName), ({ $0.label = "a\u{7}" }, .invalidName),
      ({ $0.subject?.id = "" }, .invalidSubjectID),
      ({ $0.subject?.id = String(long.prefix(101)) }, .invalidSubjectID),
      ({ $0.subject?.name = long }, .invalidName), ({ $0.routine?.name = long }, .invalidName),
      ({ $0.routine?.currentItem = long }, .invalidName), ({ $0.routine?.currentSet = -1 }, .invalidRoutine),
      ({ $0.routine?.totalSets = 1_000 }, .invalidRoutine),
      ({ $0.routine?.itemsCompleted = 1_000 }, .invalidRoutine),
      ({ $0.routine?.totalItems = -1 }, .invalidRoutine),
    ] as [((inout StartTimerRequest) -> Void, TimeclockError)] {
      var changed = start
      change(&changed)
      #expect(throws: refusal) { try validated(.start(changed)) }
    }
  }

  @Test("take a routine's start from the past, or now")
  func routineStart() throws {
    var request = RoutineRequest(currentSet: 0, totalSets: 0, itemsCompleted: 0, totalItems: 0)
    for (start, taken) in [(nil, 0), (-3_600, -3_600), (60, 0)] as [(Double?, Double)] {
      request.startTime = start.map(TimerBench.instant)
      #expect(try request.validated(at: TimerBench.zero).startTime == TimerBench.instant(taken))
    }
  }

  @Test("bound every setting")
  func settings() throws {
    #expect(try TimerSettings.standard.validated() == .standard)
    typealias Setting = WritableKeyPath<TimerSettings, Int64> & Sendable
    for (name, path, bounds) in [
      ("focusSeconds", \.focusSeconds, 1...28_800), ("shortBreakSeconds", \.shortBreakSeconds, 1...28_800),
      ("longBreakSeconds", \.longBreakSeconds, 1...28_800),
      ("sessionsBeforeLongBreak", \.sessionsBeforeLongBreak, 1...20),
      ("autoStartMaximum", \.autoStartMaximum, 0...24),
      ("countUpLimitSeconds", \.countUpLimitSeconds, 60...54_000), ("restSeconds", \.restSeconds, 1...28_800),
    ] as [(String, Setting, ClosedRange<Int64>)] {
      for (value, isAllowed) in [
        (bounds.lowerBound - 1, false), (bounds.lowerBound, true), (bounds.upperBound, true),
        (bounds.upperBound + 1, false),
      ] {
        var settings = TimerSettings.standard
        settings[keyPath: path] = value
        if isAllowed {
          #expect(try settings.validated() == settings)
        } else {
          let refusal = TimeclockError.invalidTimerSettings(
            name, "must be from \(bounds.lowerBound) to \(bounds.upperBound)")
          #expect(throws: refusal) { try settings.validated() }
          #expect(refusal.code == "invalid_timer_settings" && refusal.detail.hasPrefix("\(name) must"))
        }
      }
    }
  }

  @Test("bound the rests of subjects")
  func rests() throws {
    func rests(_ count: Int) -> [String: Int64] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("s\($0)", Int64($0 % 28_800 + 1)) })
    }
    var settings = TimerSettings.standard
    settings.restBySubject = rests(500)
    #expect(try settings.validated() == settings)
    for wrong in [
      rests(501), ["": 1], ["a": 0], ["a": 28_801], ["a\n": 1, "a": 2], ["\u{202E}": 1],
      [String(repeating: "a", count: 101): 1],
    ] {
      settings.restBySubject = wrong
      let refusal = #expect(throws: TimeclockError.self) { try settings.validated() }
      #expect(
        refusal?.code == "invalid_timer_settings" && refusal?.detail.hasPrefix("restBySubject ") == true)
    }
    settings.restBySubject = [" a ": 7]
    #expect(try settings.validated().restBySubject == ["a": 7])
  }

  @Test("have a code and a sentence for every state in the way")
  func conflicts() {
    #expect(
      TimerConflict.allCases.map { TimeclockError.timerConflict($0, .unused).code } == [
        "timer_not_running", "timer_not_paused", "not_a_countdown", "timer_not_finished", "no_pending_action",
      ])
    for conflict in TimerConflict.allCases {
      #expect(TimeclockError.timerConflict(conflict, .unused).detail.hasSuffix("."))
    }
    let changed = TimeclockError.timerChanged(current: .settings(.standard))
    #expect(changed.code == "precondition_failed")
    #expect(CurrentTimerResource.settings(.standard).version == 1)
    #expect(CurrentTimerResource.timer(.unused).version == 0)
  }
}
