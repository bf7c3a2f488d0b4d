import Testing

@testable import TimeclockDomain

@Suite("Timers under the clock")
struct TimerTimeTests {
  @Test(
    "leave a session of what a minute lacks at most ten seconds to",
    arguments: [
      (49.999, nil), (50, 1), (109.999, 1), (110, 2), (1_490, 25), (1_489.999, 24),
    ] as [(Double, Int64?)])
  func minutes(_ length: Double, _ minutes: Int64?) throws {
    for type in TimerType.allCases {
      var bench = TimerBench()
      try bench.start(type, 2_000, at: 0)
      let session = try bench.order(.stop, at: length)
      #expect(session?.durationMinutes == minutes)
      #expect(session.map { $0.seconds == Int64(length) } ?? true)
      #expect(session?.interruptionsMinutes ?? 0 == 0)
      #expect(session?.isWork ?? (type == .focus) == (type == .focus))
      #expect(bench.sessions.count == (minutes == nil ? 0 : 1))
    }
  }

  @Test("take pauses off a focus, and not off a break", arguments: [TimerType.focus, .shortBreak, .rest])
  func pauses(_ type: TimerType) throws {
    // 100 s, a pause of 59.999 s, 100 s, and a pause of 0.001 s in which it ends.
    var bench = TimerBench()
    try bench.start(type, 600, at: 0)
    try bench.order(.pause, at: 100)
    try bench.order(.resume, at: 159.999)
    try bench.order(.pause, at: 259.999)
    let session = try #require(try bench.order(.stop, at: 260))
    #expect(session.durationMinutes == (type == .focus ? 3 : 4))
    #expect(session.interruptionsMinutes == (type == .focus ? 1 : 0))
    #expect(session.seconds == 200)
  }

  @Test("end at their end, however and whenever that is noticed", arguments: [0, 0.001, 1, 1_700])
  func end(_ late: Double) throws {
    for type in TimerType.allCases {
      var bench = TimerBench()
      try bench.start(type, 100, at: 0)
      bench.look(at: 99.999)
      #expect(bench.words == "\(type) running 0-100" && bench.sessions.isEmpty)
      #expect(bench.timer.dueAt == TimerBench.instant(100))
      bench.look(at: 100 + late)
      #expect(bench.words == "\(type) finished 0-100")
      #expect(bench.sessionWords == ["\(type) 0-100 1/0 finished"])
      #expect(bench.timer.updatedAt == TimerBench.instant(100))
      #expect(bench.sessions[0].createdAt == TimerBench.instant(100 + late))
      #expect(bench.timer.pendingAction == (type == .rest ? nil : type == .focus ? .startBreak : .startFocus))
    }
  }

  @Test("offer what follows for half an hour, and then go")
  func next() throws {
    for (late, isThere) in [(1_799, true), (1_800, true), (1_800.001, false), (1_801, false)] {
      var bench = TimerBench()
      try bench.start(.focus, 100, at: 0)
      if isThere {
        try bench.order(.next, at: 100 + late)
        #expect(bench.timer.active?.type == .shortBreak)
        #expect(bench.timer.active?.startTime == TimerBench.instant(100 + late))
      } else {
        #expect(throws: TimeclockError.noTimer) { try bench.order(.next, at: 100 + late) }
        #expect(bench.words == "none" && bench.timer.updatedAt == TimerBench.instant(1_900))
      }
      #expect(bench.sessions.count == 1)
    }
    // A rest that nobody takes away goes too.
    var bench = TimerBench()
    try bench.start(.rest, at: 0)
    bench.look(at: 1_890)
    #expect(bench.words == "rest finished 0-90")
    bench.look(at: 1_890.001)
    #expect(bench.words == "none")
  }

  @Test("start by themselves at the end before, if that is noticed within half an hour")
  func autoStart() throws {
    for (late, isStarted) in [(0, true), (299, true), (1_799, true), (1_800, true), (1_800.001, false)] {
      var bench = TimerBench {
        $0.autoStartBreak = true
        $0.shortBreakSeconds = 7_200
      }
      try bench.start(.focus, 100, at: 0, label: "Reading")
      bench.look(at: 100 + late)
      #expect(bench.words == (isStarted ? "shortBreak running 100-7300" : "none"))
      #expect(bench.timer.isAutoStarted == isStarted)
      #expect(bench.timer.active?.label == (isStarted ? "Reading" : nil))
      #expect(bench.sessionWords == ["focus 0-100 1/0 finished"])
    }
  }

  @Test("start by themselves only as the settings say")
  func autoStartSettings() throws {
    for (focus, rest, breaks, type, next) in [
      (false, false, true, .focus, "focus finished"), (true, false, true, .focus, "focus finished"),
      (false, true, true, .focus, "shortBreak running"),
      (false, true, true, .shortBreak, "shortBreak finished"),
      (true, false, true, .shortBreak, "focus running"), (true, false, false, .focus, "focus running"),
      (false, true, false, .focus, "focus finished"), (true, true, true, .rest, "rest finished"),
    ] as [(Bool, Bool, Bool, TimerType, String)] {
      var bench = TimerBench {
        ($0.autoStartFocus, $0.autoStartBreak, $0.breaksEnabled) = (focus, rest, breaks)
      }
      try bench.start(type, 100, at: 0)
      bench.look(at: 101)
      #expect(bench.words.hasPrefix(next))
    }
  }

  @Test("start by themselves a limited number of times in a row", arguments: [0, 1, 3, 24] as [Int64])
  func autoStartMaximum(_ most: Int64) throws {
    var bench = TimerBench {
      ($0.autoStartFocus, $0.autoStartBreak, $0.autoStartMaximum) = (true, true, most)
      ($0.focusSeconds, $0.shortBreakSeconds, $0.longBreakSeconds) = (60, 60, 60)
    }
    try bench.start(.focus, at: 0)
    // At once, as after an outage of a night's start.
    bench.look(at: 60 * Double(most + 1))
    #expect(bench.timer.state == .finished && bench.timer.autoStarts == most)
    #expect(bench.timer.active?.startTime == TimerBench.instant(60 * Double(most)))
    #expect(bench.sessions.count == Int(most) + 1)
    // An act by the member begins a new run.
    try bench.order(.next, at: 60 * Double(most + 1))
    #expect(bench.timer.autoStarts == 0 && !bench.timer.isAutoStarted)
    bench.look(at: 60 * Double(most + 2))
    #expect(bench.timer.isAutoStarted == (most > 0))
  }

  @Test("count as stopped at their pause when that has lasted a day")
  func longPause() throws {
    var bench = TimerBench()
    try bench.start(.focus, at: 0)
    try bench.order(.pause, at: 100)
    #expect(bench.timer.dueAt == TimerBench.instant(86_500))
    bench.look(at: 86_499.999)
    #expect(bench.words == "focus paused 0-1500")
    bench.look(at: 86_500)
    #expect(bench.words == "none" && bench.sessionWords == ["focus 0-100 1/0 stopped"])
    #expect(bench.timer.streak == 0 && bench.timer.updatedAt == TimerBench.instant(86_500))
    #expect(throws: TimeclockError.noTimer) { try bench.order(.resume, at: 86_500) }
  }

  @Test("pause when the client has been in the background for five minutes")
  func background() throws {
    var bench = TimerBench { $0.pauseInBackground = true }
    try bench.start(.focus, at: 0)
    try bench.note(.background, at: 100)
    try bench.note(.background, at: 200)
    #expect(bench.timer.dueAt == TimerBench.instant(400.001))
    bench.look(at: 400)
    #expect(bench.words == "focus running 0-1500")
    bench.look(at: 400.001)
    #expect(bench.words == "focus paused 0-1500")
    #expect(bench.timer.active?.pausedSince == TimerBench.instant(400))
    try bench.note(.foreground, at: 1_000)
    #expect(bench.words == "focus running 0-2100" && bench.timer.active?.backgroundSince == nil)
    #expect(bench.timer.active?.pausedMilliseconds == 600_000)
    // Back in time.
    try bench.note(.background, at: 1_100)
    try bench.note(.foreground, at: 1_400)
    bench.look(at: 1_500)
    #expect(bench.words == "focus running 0-2100")
    // A timer that somebody has paused stays so.
    try bench.note(.background, at: 1_600)
    try bench.order(.pause, at: 1_700)
    try bench.note(.foreground, at: 2_500)
    #expect(bench.words == "focus paused 0-2100")
    // A member who resumes by hand is there.
    try bench.note(.background, at: 2_600)
    try bench.order(.resume, at: 2_700)
    bench.look(at: 3_050)
    #expect(bench.words == "focus running 0-3100")
    #expect(throws: TimeclockError.noTimer) {
      var bench = TimerBench()
      try bench.note(.foreground, at: 0)
    }
  }

  @Test("do not pause in the background unless the settings said so when they started")
  func backgroundSetting() throws {
    var bench = TimerBench()
    try bench.start(.focus, at: 0)
    let before = bench.timer
    try bench.note(.background, at: 1)
    #expect(bench.timer == before)
    bench.set(at: 2) { $0.pauseInBackground = true }
    try bench.note(.background, at: 3)
    bench.look(at: 1_000)
    #expect(bench.words == "focus running 0-1500")
    try bench.start(.focus, at: 1_000)
    try bench.note(.background, at: 1_000)
    bench.set(at: 1_001) { $0.pauseInBackground = false }
    bench.look(at: 1_301)
    #expect(bench.words == "focus paused 1000-2500")
  }

  @Test("end, and start by themselves, in the background too before it counts")
  func backgroundAndEnd() throws {
    var bench = TimerBench {
      ($0.pauseInBackground, $0.autoStartBreak) = (true, true)
    }
    try bench.start(.focus, 300, at: 0)
    try bench.note(.background, at: 0)
    bench.look(at: 1_000)
    #expect(bench.words == "shortBreak paused 300-600")
    #expect(bench.timer.active?.pausedSince == TimerBench.instant(300))
    #expect(bench.sessionWords == ["focus 0-300 5/0 finished"])
    try bench.note(.foreground, at: 1_000)
    #expect(bench.words == "shortBreak running 300-1300")
    // One that begins when it has counted for long is paused at once.
    bench = TimerBench { $0.autoStartBreak = true }
    try bench.start(.focus, 1_000, at: 0)
    bench.set(at: 1) { $0.pauseInBackground = true }
    try bench.note(.background, at: 2)
    bench.look(at: 1_000)
    #expect(bench.words == "shortBreak running 1000-1300")
    bench.look(at: 1_200)
    #expect(bench.words == "shortBreak paused 1000-1300")
    #expect(bench.timer.active?.pausedSince == TimerBench.instant(1_000))
  }

  @Test("are not undone by a clock that is set back")
  func clockBack() throws {
    var bench = TimerBench()
    try bench.start(.focus, 100, at: 0)
    bench.look(at: 100)
    let finished = bench.timer
    bench.look(at: 20)
    #expect(bench.timer == finished)
    try bench.order(.next, at: 20)
    #expect(bench.words == "shortBreak running 100-400")
    try bench.order(.pause, at: 150)
    try bench.order(.resume, at: 50)
    #expect(bench.words == "shortBreak running 100-400" && bench.timer.active?.pausedMilliseconds == 0)
    #expect(bench.timer.updatedAt == TimerBench.instant(150))
    let active = try #require(bench.timer.active)
    #expect(active.elapsedMilliseconds(at: TimerBench.instant(50)) == 50_000)
    #expect(active.remainingMilliseconds(at: TimerBench.instant(50)) == 250_000)
    // A timer that is started again begins where the last transition was.
    try bench.start(.focus, at: 60)
    #expect(bench.words == "focus running 150-1650")
  }

  @Test("have their end moved, at most to eight hours, and end if nothing is left")
  func adjust() throws {
    for (seconds, isAllowed) in [(28_500, true), (28_501, false), (28_800, false)] as [(Int64, Bool)] {
      var bench = TimerBench()
      try bench.start(.focus, 300, at: 0)
      try bench.order(.pause, at: 10)
      try bench.order(.resume, at: 110)
      if isAllowed {
        try bench.order(.adjust(milliseconds: seconds * 1_000), at: 120)
        #expect(bench.words == "focus running 0-28900")
        try bench.order(.adjust(milliseconds: -28_500_000), at: 120)
        #expect(bench.words == "focus running 0-400")
        #expect(bench.timer.active?.adjustedMilliseconds == 0 && bench.timer.active?.wasAdjusted == true)
      } else {
        #expect(throws: TimeclockError.timerTooLong) {
          try bench.order(.adjust(milliseconds: seconds * 1_000), at: 120)
        }
        #expect(bench.words == "focus running 0-400" && bench.timer.active?.wasAdjusted == false)
      }
    }
    for (seconds, words) in [
      (-199, "focus running 0-101"), (-200, "focus finished 0-100"), (-28_800, "focus finished 0-100"),
    ] as [(Int64, String)] {
      var bench = TimerBench()
      try bench.start(.focus, 300, at: 0)
      let session = try bench.order(.adjust(milliseconds: seconds * 1_000), at: 100)
      #expect(bench.words == words)
      #expect(session?.outcome == (words.contains("finished") ? .finished : nil))
    }
    // While it is paused, the remaining time is that at the pause.
    for (seconds, words) in [
      (-199, "focus paused 0-101"), (-200, "focus finished 0-250"),
    ] as [(Int64, String)] {
      var bench = TimerBench()
      try bench.start(.focus, 300, at: 0)
      try bench.order(.pause, at: 100)
      let session = try bench.order(.adjust(milliseconds: seconds * 1_000), at: 250)
      #expect(bench.words == words)
      #expect(session.map(TimerBench.words) == (seconds == -200 ? "focus 0-250 1/2 finished" : nil))
    }
  }

  @Test("that an adjustment ends are followed as any other")
  func adjustToEnd() throws {
    var bench = TimerBench { $0.autoStartBreak = true }
    try bench.start(.focus, 300, at: 0)
    let session = try bench.order(.adjust(milliseconds: -300_000), at: 100)
    #expect(session?.outcome == .finished && session?.endTime == TimerBench.instant(100))
    #expect(bench.words == "shortBreak running 100-400" && bench.timer.streak == 1)
    bench.put(routine(set: 998))
    for expected in [999, 999] as [Int64] {
      try bench.start(.rest, at: 200)
      try bench.order(.adjust(milliseconds: -90_000), at: 200)
      #expect(bench.timer.routine?.currentSet == expected)
    }
    try bench.start(.rest, at: 200)
    try bench.order(.stop, at: 280)
    try bench.start(.rest, at: 280)
    try bench.order(.skip, at: 360)
    #expect(bench.timer.routine?.currentSet == 999)
    #expect(bench.sessionWords.last == "rest 200-280 1/0 stopped")
    // Only a rest is between two sets.
    bench.put(routine(set: 1))
    for type in TimerType.allCases {
      try bench.start(type, 60, at: 400)
      try bench.order(.adjust(milliseconds: -60_000), at: 400)
      #expect(bench.timer.routine?.currentSet == (type == .rest ? 2 : 1))
    }
  }

  private func routine(set: Int64) -> TimerRoutine {
    TimerRoutine(
      name: nil, startTime: TimerBench.zero, currentItem: nil, currentSet: set, totalSets: 999,
      itemsCompleted: 0, totalItems: 0)
  }

  @Test("show what has run, what is left, and the share of it")
  func shown() throws {
    var bench = TimerBench()
    try bench.start(.rest, 90, at: 0)
    func shown(_ seconds: Double) throws -> [Double?] {
      let active = try #require(bench.timer.active)
      let now = TimerBench.instant(seconds)
      return [
        Double(active.elapsedMilliseconds(at: now)), active.remainingMilliseconds(at: now).map(Double.init),
        active.progress(at: now),
      ]
    }
    #expect(try shown(0) == [0, 90_000, 1])
    #expect(try shown(45) == [45_000, 45_000, 0.5])
    try bench.order(.adjust(milliseconds: 60_000), at: 45)
    #expect(try shown(45) == [45_000, 105_000, 1])
    try bench.order(.pause, at: 60)
    #expect(try shown(1_000) == [60_000, 90_000, 1])
    try bench.order(.resume, at: 160)
    #expect(try shown(205) == [105_000, 45_000, 0.5])
    // Nobody has looked since.
    #expect(try shown(999)[1...] == [0, 0])
    bench.look(at: 999)
    #expect(try shown(999) == [150_000, 0, 0])
    try bench.start(.focus, at: 1_000, isCountdown: false)
    #expect(try shown(1_060) == [60_000, nil, nil])
  }
}
