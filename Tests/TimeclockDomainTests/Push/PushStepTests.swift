import Testing

@testable import TimeclockDomain

@Suite("What phones are sent")
struct PushStepTests {
  private typealias Samples = LiveActivitySamples
  private static let start = Samples.nine()

  private static func delivery(
    _ kind: PushTarget.Kind, _ form: LiveActivityForm?,
    _ progress: PushProgress = PushProgress(dueAt: start)
  ) throws -> PushDelivery {
    PushDelivery(
      member: MemberKey(organization: OrganizationKey(1), user: UserKey(2)),
      target: PushTarget(
        id: PushTargetID(high: 1, low: 1), kind: kind, form: form,
        token: PushToken(stored: [UInt8](repeating: 7, count: 32)),
        topic: try PushTopic("com.example.app"),
        environment: .production, dates: .reference, attributesType: nil, createdAt: start,
        expiresAt: nil),
      progress: progress)
  }

  private static func focus(
    _ phase: ActiveTimer.Phase = .running, id: UInt64 = 1, until end: Int64 = 1_500
  ) -> MemberTimer {
    var timer = Samples.timer(.focus, phase, until: Samples.nine(end))
    timer.id = TimerID(high: 5, low: id)
    return Samples.member(timer)
  }

  private static func news(_ timer: MemberTimer, at now: Instant) -> PushNews {
    PushNews(
      activities: [
        .focus: .focus(timer, LiveActivityNames(), at: now), .rest: .rest(timer, at: now),
      ], timerEnd: TimerEnd(of: timer))
  }

  /// The message of a step, and the progress after it.
  private func sent(_ step: PushStep) throws -> (content: PushContent, then: PushProgress) {
    guard case .send(let content, let then) = step else {
      Issue.record("\(step)")
      throw CancellationError()
    }
    return (content, then)
  }

  @Test("of an activity: what it is at first, each change, and the end, after which it is over")
  func activity() throws {
    var delivery = try Self.delivery(.liveActivity, .focus)
    var now = Self.start
    func step(_ timer: MemberTimer) -> PushStep {
      delivery.step(seeing: Self.news(timer, at: now), at: now)
    }
    let first = try sent(step(Self.focus()))
    guard case .update(_, isUrgent: false) = first.content else {
      return #expect(Bool(false), "\(first.content)")
    }
    #expect(first.then.activity == TimerID(high: 5, low: 1).text && first.then.sentAt == now)
    #expect(first.then.dueAt == nil && first.then.day == 20_777 && first.then.dayCount == 1)
    delivery.progress = first.then
    now = Samples.nine(60)
    #expect(step(Self.focus()) == .nothing)
    let paused = Self.focus(.paused(since: Samples.nine(60), byBackground: false))
    let second = try sent(step(paused))
    guard case .update(let shown, isUrgent: true) = second.content else {
      return #expect(Bool(false), "\(second)")
    }
    #expect(shown.state.lines.contains("isPaused true"))
    // An unsent state is skipped.
    let third = try sent(step(Self.focus(until: 1_560)))
    delivery.progress = third.then
    #expect(step(Self.focus(until: 1_560)) == .nothing && third.then.dayCount == 2)
    delivery.progress.content = "{}"
    for over in [
      MemberTimer.unused, Self.focus(id: 2), Samples.member(Samples.timer(.rest, until: now)),
    ] {
      let end = try sent(step(over))
      #expect(end.content == .end(content: "{}", .immediate) && end.content.isEnd)
    }
  }

  @Test("of an activity that is over when it is made: its end")
  func overAtFirst() throws {
    let step = try Self.delivery(.liveActivity, .rest).step(
      seeing: Self.news(.unused, at: Self.start), at: Self.start)
    #expect(try sent(step).content == .end(content: nil, .immediate))
  }

  @Test("one a second, and fifty on a day, but for ends")
  func budget() throws {
    var delivery = try Self.delivery(.liveActivity, .focus)
    var now = Self.start
    func step(_ end: Int64) -> PushStep {
      let timer = Self.focus(until: end)
      return delivery.step(seeing: Self.news(timer, at: now), at: now)
    }
    delivery.progress = try sent(step(1)).then
    now = now.adding(milliseconds: 999)
    #expect(step(2) == .wait(until: Samples.nine(1)))
    now = Samples.nine(1)
    for count in 2...50 {
      delivery.progress = try sent(step(Int64(count))).then
      #expect(delivery.progress.dayCount == Int64(count))
      now = now.adding(milliseconds: 1_000)
    }
    let midnight = Samples.nine(15 * 3_600)
    #expect(step(51) == .wait(until: midnight))
    let end = delivery.step(seeing: Self.news(.unused, at: now), at: now)
    #expect(try sent(end).content.isEnd)
    now = midnight
    #expect(try sent(step(51)).then.dayCount == 1)
  }

  @Test("of an app's activities: the start of each that begins afterwards, with words")
  func pushToStart() throws {
    var delivery = try Self.delivery(.pushToStart, .focus)
    let now = Self.start
    func step(_ timer: MemberTimer) -> PushStep {
      delivery.step(seeing: Self.news(timer, at: now), at: now)
    }
    guard case .note(let none) = step(.unused) else {
      return #expect(Bool(false), "\(step(.unused))")
    }
    #expect(none.activity == "" && none.dueAt == nil && none.dayCount == 0)
    guard case .note(let one) = step(Self.focus()) else {
      return #expect(Bool(false), "\(step(Self.focus()))")
    }
    delivery.progress = one
    #expect(step(Self.focus()) == .nothing && step(.unused) == .nothing)
    #expect(step(Self.focus(.paused(since: now, byBackground: false))) == .nothing)
    let second = try sent(step(Self.focus(id: 2)))
    guard case .start(let shown, let alert) = second.content else {
      return #expect(Bool(false), "\(second)")
    }
    #expect(alert == PushAlert(title: "Focus", body: "Started"))
    #expect(shown.attributes.lines.first == "label ''")
    delivery.progress = second.then
    #expect(step(Self.focus(id: 2)) == .nothing)
  }

  @Test("of an app: the end of a focus or a break that ran out, once, and not when it is old")
  func alerts() throws {
    var delivery = try Self.delivery(.alert, nil)
    let end = Samples.nine(1_500)
    let over = Self.focus(.finished(at: end))
    func step(_ timer: MemberTimer, at now: Instant) -> PushStep {
      delivery.step(seeing: Self.news(timer, at: now), at: now)
    }
    guard case .note(let none) = step(.unused, at: Self.start) else { return #expect(Bool(false)) }
    // It may have finished before anybody looked at the target.
    #expect(try sent(step(over, at: end)).then.activity == "focus \(end.millisecondsSince1970)")
    delivery.progress = none
    #expect(step(Self.focus(), at: end) == .nothing)
    #expect(
      step(Samples.member(Samples.timer(.rest, .finished(at: end), until: end)), at: end)
        == .nothing)
    let last = end.adding(milliseconds: 1_800_000 - 1)
    let alert = try sent(step(over, at: last))
    guard case .alert(let told) = alert.content else { return #expect(Bool(false), "\(alert)") }
    #expect(told.alert == PushAlert(title: "Focus Complete", body: "Tap to continue"))
    #expect(told.expiresAt == end.adding(milliseconds: 1_800_000))
    #expect(step(over, at: told.expiresAt) == .nothing)
    delivery.progress = alert.then
    #expect(step(over, at: last) == .nothing)
    // A break that began by itself reports the focus before it, and is over itself later.
    var next = Samples.timer(.shortBreak, until: Samples.nine(1_800))
    next.startTime = end
    var timer = Samples.member(next)
    timer.autoStarts = 1
    #expect(step(timer, at: last) == .nothing)
    timer.active?.phase = .finished(at: Samples.nine(1_800))
    guard case .alert(let second) = try sent(step(timer, at: Samples.nine(3_400))).content else {
      return #expect(Bool(false))
    }
    #expect(second.alert.title == "Break Complete")
    delivery.progress = none
    timer.active?.phase = .running
    guard case .alert(let third) = try sent(step(timer, at: last)).content else {
      return #expect(Bool(false))
    }
    #expect(third.alert.title == "Focus Complete" && third.time == end)
    timer.autoStarts = 0
    #expect(step(timer, at: last) == .nothing)
  }

  @Test("of an app that got an end before: nothing that was before the target")
  func oldEnd() throws {
    let over = Self.focus(.finished(at: Samples.nine(-1)))
    let step = try Self.delivery(.alert, nil).step(
      seeing: Self.news(over, at: Self.start), at: Self.start)
    guard case .note(let known) = step else { return #expect(Bool(false), "\(step)") }
    #expect(known.activity == "focus \(Samples.nine(-1).millisecondsSince1970)")
  }

  @Test("nothing while somebody sends, and later and later after failures")
  func failures() throws {
    var delivery = try Self.delivery(.liveActivity, .focus)
    delivery.progress.dueAt = Samples.nine(1)
    #expect(
      delivery.step(seeing: Self.news(Self.focus(), at: Self.start), at: Self.start)
        == .wait(until: Samples.nine(1)))
    var progress = PushProgress()
    var pauses: [Int64] = []
    for _ in 0..<9 {
      progress = progress.failed(at: Self.start, pause: nil)
      pauses.append((progress.dueAt ?? Self.start).milliseconds(since: Self.start))
    }
    #expect(pauses == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
    #expect(PushProgress().failed(at: Self.start, pause: 30).dueAt == Samples.nine(30))
    #expect(PushProgress().failed(at: Self.start, pause: 99_999).dueAt == Samples.nine(3_600))
    #expect(
      progress.sent(at: Self.start).failures == 0 && progress.sent(at: Self.start).dueAt == nil)
  }

  @Test("with the words that each form starts with")
  func words() throws {
    func alert(_ activity: LiveActivity) throws -> PushAlert {
      activity.form.startAlert(try #require(activity.content))
    }
    let work = Samples.clock(for: SegmentPurpose(taskID: TaskID(high: 1, low: 1)), at: Self.start)
    #expect(
      try alert(.task(work, LiveActivityNames(task: "Admin")))
        == PushAlert(title: "Admin", body: "Started"))
    #expect(
      try alert(.work(work, LiveActivityNames())) == PushAlert(title: "Clocked In", body: "Started")
    )
    var timer = Samples.member(
      Samples.timer(
        .rest, until: Samples.nine(90), subject: TimerSubject(id: "b", name: "Bench press")),
      routine: Samples.routine)
    #expect(
      try alert(.rest(timer, at: Self.start)) == PushAlert(title: "Rest", body: "Bench press"))
    #expect(
      try alert(.routine(timer, at: Self.start)) == PushAlert(title: "Push day", body: "Started"))
    timer.routine?.name = nil
    #expect(try alert(.routine(timer, at: Self.start)).title == "Workout")
    timer.active = Samples.timer(.longBreak, until: Samples.nine(900))
    timer.active?.label = "Thesis"
    #expect(
      try alert(.focus(timer, LiveActivityNames(), at: Self.start))
        == PushAlert(title: "Break", body: "Thesis"))
  }

  @Test("go to tokens, topics and structures of a known form")
  func forms() throws {
    let token = try PushToken("00FFa1B2c3D4e5F6")
    #expect(
      token.text == "00ffa1b2c3d4e5f6" && token.masked == "****e5f6" && token.bytes.count == 8)
    #expect(try PushToken(String(repeating: "ab", count: 200)).bytes.count == 200)
    for text in [
      "", "00ffa1b2c3d4e5", "00ffa1b2c3d4e5f", "00ffa1b2c3d4e5fg",
      String(repeating: "ab", count: 201), "00ffa1b2c3d4e5ä",
    ] {
      #expect(throws: TimeclockError.invalidPushToken, "\(text)") { _ = try PushToken(text) }
    }
    #expect(try PushTopic("com.example.App-1").text == "com.example.App-1")
    for text in [
      "", "com example", "com.example/x", "com.example\n", "com.a.push-type.liveactivity",
      String(repeating: "a", count: 156),
    ] {
      #expect(throws: TimeclockError.invalidTopic, "\(text)") { _ = try PushTopic(text) }
    }
    #expect(
      try Self.delivery(.liveActivity, .rest).target.shownAttributesType == "RestTimerAttributes")
    #expect(try Self.delivery(.alert, nil).target.shownAttributesType == nil)
  }
}
