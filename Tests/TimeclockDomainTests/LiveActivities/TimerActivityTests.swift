import Testing
import TimeclockDomain

@Suite("Live Activities of timers")
struct TimerActivityTests {
  private typealias Samples = LiveActivitySamples
  private static let noon = Samples.nine(10_800)

  private static func focus(
    _ active: ActiveTimer, _ names: LiveActivityNames = LiveActivityNames(), at now: Instant
  ) -> LiveActivityContent? {
    LiveActivity.focus(Samples.member(active), names, at: now).content
  }

  @Test("of a focus have its start and its end")
  func focus() {
    let active = Samples.timer(.focus, until: Samples.nine(1_500))
    let content = Self.focus(active, at: Samples.nine(600))
    #expect(content?.activity == TimerID(high: 5, low: 1).text)
    #expect(
      content?.attributes.lines
        == ["label ''", "labelColor '#007AFF'", "isFocus true", "isCountdown true"])
    #expect(
      content?.state.lines == [
        "timerStartDate 09:00 + 0", "timerEndDate 09:00 + 1500000", "isPaused false", "isRunning true",
      ])
    #expect(content?.staleDate == Samples.nine(1_500))
    let names = LiveActivityNames(task: "Thesis", project: "Study", color: ProjectColor(stored: "#112233"))
    var labeled = active
    #expect(Self.focus(labeled, names, at: Samples.nine())?.attributes.lines.first == "label 'Thesis'")
    labeled.label = "Deep work"
    #expect(
      Self.focus(labeled, names, at: Samples.nine())?.attributes.lines.prefix(2)
        == ["label 'Deep work'", "labelColor '#112233'"])
  }

  @Test("of a break say that it is none")
  func breaks() {
    for type in [TimerType.shortBreak, .longBreak] {
      let content = Self.focus(Samples.timer(type, until: Samples.nine(300)), at: Samples.nine(1))
      #expect(content?.attributes.lines.contains("isFocus false") == true)
    }
  }

  @Test("of a paused focus have the time that is left, or that has passed")
  func paused() {
    let phase = ActiveTimer.Phase.paused(since: Samples.nine(600, milliseconds: 250), byBackground: false)
    let down = Self.focus(
      Samples.timer(.focus, phase, until: Samples.nine(1_500), paused: 0), at: Samples.nine(900))
    #expect(
      down?.state.lines == [
        "timerStartDate 09:00 + 0", "timerEndDate 09:00 + 1500000", "isPaused true", "isRunning false",
        "pausedTimeRemaining 899750 ms",
      ])
    #expect(down?.staleDate == nil)
    let up = Self.focus(Samples.timer(.focus, phase, until: nil, paused: 60_000), at: Samples.nine(900))
    #expect(
      up?.state.lines == [
        "timerStartDate 09:00 + 60000", "timerEndDate 09:00 + 28860000", "isPaused true", "isRunning false",
        "pausedElapsedTime 540250 ms",
      ])
    #expect(up?.attributes.lines.contains("isCountdown false") == true)
  }

  @Test("of what counts up begin later by its pauses, and are out of date after 8 hours")
  func countUp() {
    let content = Self.focus(Samples.timer(.focus, until: nil, paused: 90_000), at: Self.noon)
    #expect(
      content?.state.lines.prefix(2) == ["timerStartDate 09:00 + 90000", "timerEndDate 09:00 + 28890000"])
    #expect(content?.staleDate == Samples.nine(28_890))
  }

  @Test("of a focus that has finished stay, and of no timer or a rest are over")
  func finished() {
    let over = Samples.timer(.focus, .finished(at: Samples.nine(1_500)), until: Samples.nine(1_500))
    #expect(
      Self.focus(over, at: Self.noon)?.state.lines == [
        "timerStartDate 09:00 + 0", "timerEndDate 09:00 + 1500000", "isPaused false", "isRunning false",
      ])
    #expect(Self.focus(over, at: Self.noon)?.staleDate == nil)
    for active in [nil, Samples.timer(.rest, until: Samples.nine(90))] {
      let activity = LiveActivity.focus(Samples.member(active), LiveActivityNames(), at: Samples.nine())
      #expect(activity.content == nil && activity.dismissal == .immediate)
    }
  }

  private static let bench = TimerSubject(id: "ex-7", name: "Bench press")

  @Test("of a rest have what is left of it")
  func rest() {
    let active = Samples.timer(.rest, until: Samples.nine(90), original: 90_000, subject: Self.bench)
    func content(_ active: ActiveTimer, at now: Instant) -> LiveActivityContent? {
      LiveActivity.rest(Samples.member(active), at: now).content
    }
    let running = content(active, at: Samples.nine(29, milliseconds: 1))
    #expect(
      running?.attributes.lines
        == ["exerciseName 'Bench press'", "originalDuration 90", "exerciseID 'ex-7'"])
    #expect(
      running?.state.lines == [
        "remainingSeconds 61", "endDate 09:00 + 90000", "isPaused false", "progress 6777/10000",
        "wasAdjusted false",
      ])
    #expect(running?.staleDate == Samples.nine(90))
    #expect(running?.tag == content(active, at: Samples.nine(60))?.tag)
    var paused = active
    paused.phase = .paused(since: Samples.nine(30), byBackground: false)
    let stopped = content(paused, at: Self.noon)
    #expect(
      stopped?.state.lines.prefix(3) == ["remainingSeconds 60", "endDate 09:00 + 90000", "isPaused true"])
    #expect(stopped?.staleDate == nil && stopped?.stateTag != running?.stateTag)
    var longer = active
    (longer.endTime, longer.wasAdjusted) = (Samples.nine(105), true)
    #expect(
      content(longer, at: Samples.nine())?.state.lines[3...] == ["progress 10000/10000", "wasAdjusted true"])
    let plain = content(Samples.timer(.rest, until: Samples.nine(90), original: 90_000), at: Samples.nine())
    #expect(plain?.attributes.lines == ["exerciseName 'Rest'", "originalDuration 90", "exerciseID ''"])
  }

  @Test("of a rest that has finished, of none and of a focus are over at once")
  func restOver() {
    let finished = Samples.timer(.rest, .finished(at: Samples.nine(90)), until: Samples.nine(90))
    for active in [nil, finished, Samples.timer(.focus, until: Samples.nine(1_500))] {
      let activity = LiveActivity.rest(Samples.member(active), at: Self.noon)
      #expect(activity.content == nil && activity.dismissal == .immediate)
    }
  }

  @Test("of a routine count its sets, with the rest between them")
  func routine() {
    let rest = Samples.timer(.rest, until: Samples.nine(90), original: 90_000, subject: Self.bench)
    func content(_ active: ActiveTimer?, _ routine: TimerRoutine) -> LiveActivityContent? {
      LiveActivity.routine(Samples.member(active, routine: routine), at: Samples.nine(30)).content
    }
    let resting = content(rest, Samples.routine)
    #expect(resting?.attributes.lines == ["workoutName 'Push day'", "startTime 09:00 + -600000"])
    #expect(
      resting?.state.lines == [
        "currentExercise 'Bench press'", "currentSet 2", "totalSets 4", "exercisesCompleted 1",
        "totalExercises 6", "elapsedTime 630", "isResting true", "restRemaining 60",
      ])
    #expect(resting?.staleDate == Samples.nine(28_200))
    let lifting = content(Samples.timer(.focus, until: Samples.nine(60)), Samples.routine)
    #expect(lifting?.state.lines.suffix(2) == ["elapsedTime 630", "isResting false"])
    var plain = Samples.routine
    (plain.name, plain.currentItem) = (nil, nil)
    #expect(content(nil, plain)?.attributes.lines == ["startTime 09:00 + -600000"])
    #expect(content(nil, plain)?.state.lines.first == "currentExercise ''")
    #expect(content(rest, plain)?.state.lines.first == "currentExercise 'Bench press'")
    let over = LiveActivity.routine(Samples.member(rest), at: Samples.nine())
    #expect(over.content == nil && over.dismissal == .default)
  }
}
