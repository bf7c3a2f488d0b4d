/// Applies time and commands to a member's timer. It is a pure function: folding the same timer to the same instant
/// gives the same, but for ids, and for the timers that start by themselves only if their predecessor's end is noticed
/// soon.
package struct TimerFold {
  /// The timer so far.
  package private(set) var timer: MemberTimer
  /// The sessions that it has left, in the order of their ends.
  package private(set) var sessions: [TimerSession] = []
  /// The sessions kept earlier that are none any more.
  package private(set) var retracted: [TimerSessionID] = []

  private let present: Instant
  private let makeID: () -> TimerID

  /// - Parameters:
  ///   - present: The instant at which sessions are kept.
  ///   - makeID: Makes the id of a timer that starts.
  package init(_ timer: MemberTimer, at present: Instant, makeID: @escaping () -> TimerID) {
    self.timer = timer
    self.present = present
    self.makeID = makeID
  }

  /// The instant that counts for a wall clock's: a clock that was set back undoes no transition.
  package func instant(_ now: Instant) -> Instant { max(now, timer.updatedAt) }
}

// Time alone.
extension TimerFold {
  /// Applies the changes by time alone until an instant, in their order.
  package mutating func settle(at now: Instant) {
    let now = instant(now)
    while let active = timer.active, let due = timer.dueAt, due <= now {
      timer.keepPast()
      let count = sessions.count
      defer { timer.past?.sessions += sessions[count...].map(\.id) }
      switch active.phase {
      case .running:
        // An end at the same instant as the background's limit comes first.
        if active.end <= due { finish(at: active.end, noticedAt: now) } else { pauseInBackground(active) }
      case .paused(let since, _): abandon(active, pausedSince: since, at: due)
      case .finished(let end): transition(at: end.adding(milliseconds: TimerLimits.nextWindow)) { $0 = nil }
      }
    }
  }

  /// Ends the running timer, or one that an adjustment has used up, and starts the next one that starts by itself.
  @discardableResult
  private mutating func finish(at end: Instant, noticedAt now: Instant) -> TimerSession? {
    guard let active = timer.active else { return nil }
    let over = active.ended(at: end)
    let session = store(over, endingAt: end, .finished)
    count(over, endingAt: end)
    transition(at: end) { timer in
      timer = over
      timer?.phase = .finished(at: end)
    }
    if over.type == .rest { timer.countSet() }
    startByItself(after: over, endedAt: end, noticedAt: now)
    return session
  }

  private mutating func startByItself(after over: ActiveTimer, endedAt end: Instant, noticedAt now: Instant) {
    guard over.type != .rest, now.milliseconds(since: end) <= TimerLimits.nextWindow else { return }
    let type = timer.nextType(after: over.type)
    let isWanted = type == .focus ? timer.settings.autoStartFocus : timer.settings.autoStartBreak
    guard isWanted, timer.autoStarts < timer.settings.autoStartMaximum else { return }
    let count = timer.autoStarts + 1
    begin(type, at: end, after: over)
    timer.autoStarts = count
    timer.active?.backgroundSince = over.backgroundSince
  }

  private mutating func pauseInBackground(_ active: ActiveTimer) {
    guard let end = active.backgroundEnd else { return }
    transition(at: end) { $0?.phase = .paused(since: end, byBackground: true) }
  }

  /// Stops a timer whose pause has become too long, as of the pause.
  private mutating func abandon(_ active: ActiveTimer, pausedSince since: Instant, at due: Instant) {
    store(active, endingAt: since, .stopped)
    transition(at: due) { $0 = nil }
  }
}

// Commands.
extension TimerFold {
  /// Applies the changes by time alone until an instant, and then a command.
  ///
  /// - Returns: The session that the command left, and, for an automatic start that does nothing, the reason.
  /// - Throws: `.noTimer`, `.timerConflict`, `.timerTooLong`; then only time has changed the timer.
  package mutating func apply(
    _ order: TimerOrder, at time: Instant
  ) throws -> (session: TimerSession?, notStarted: TimerNotStarted?) {
    settle(at: time)
    let now = instant(time)
    if case .start(let start) = order, let reason = refusal(of: start) { return (nil, reason) }
    let session = try apply(order, from: now)
    timer.lastCommandTime = time
    timer.past = nil
    return (session, nil)
  }

  /// Applies a command that was given at an instant, as `apply` does, after taking back changes by time alone since. If
  /// the command has no effect, nothing is taken back.
  package mutating func applyQueued(
    _ order: TimerOrder, at time: Instant
  ) throws -> (session: TimerSession?, notStarted: TimerNotStarted?) {
    guard let past = timer.past, time <= timer.updatedAt else { return try apply(order, at: time) }
    let present = self
    timer.takeBack(past)
    let kept = Set(past.sessions)
    retracted += past.sessions.filter { id in !sessions.contains { $0.id == id } }
    sessions.removeAll { kept.contains($0.id) }
    do {
      let result = try apply(order, at: time)
      if result.notStarted != nil { self = present }
      return result
    } catch {
      self = present
      throw error
    }
  }

  private mutating func apply(_ order: TimerOrder, from now: Instant) throws -> TimerSession? {
    switch order {
    case .start(let start): begin(start, at: now)
    case .pause: try pause(requireActive(), at: now)
    case .resume: try resume(requireActive(), at: now)
    case .adjust(let milliseconds): try adjust(requireActive(), by: milliseconds, at: now)
    case .skip: skip(try requireActive(), at: now)
    case .next: try next(requireActive(), at: now)
    case .stop: stop(try requireActive(), at: now)
    }
  }

  private func requireActive() throws -> ActiveTimer {
    guard let active = timer.active else { throw TimeclockError.noTimer }
    return active
  }

  /// The reason for which an automatic start does nothing.
  private func refusal(of start: TimerStart) -> TimerNotStarted? {
    guard start.isAutomatic, start.type == .rest else { return nil }
    guard timer.settings.restEnabled else { return .disabled }
    let routine = start.routine ?? timer.routine
    return routine?.isAtLastSet == true ? .lastSet : nil
  }

  private mutating func begin(_ start: TimerStart, at now: Instant) -> TimerSession? {
    let before = timer.active
    let session = before.flatMap { stop($0, at: now) }
    if let routine = start.routine { timer.routine = routine }
    let isCountdown = start.type != .focus || start.isCountdown ?? timer.settings.isCountdown
    // A break has the purpose of the focus before it, unless it states its own.
    let carried = start.type.isBreak && start.purpose.isEmpty ? before?.purposeOfRound : nil
    begin(
      start.type, at: now,
      seconds: start.durationSeconds ?? timer.settings.seconds(of: start.type, subject: start.subject),
      isCountdown: isCountdown, purpose: carried ?? start.purpose, subject: start.subject)
    return session
  }

  private mutating func pause(_ active: ActiveTimer, at now: Instant) throws -> TimerSession? {
    guard active.phase == .running else { throw TimeclockError.timerConflict(.notRunning, timer) }
    transition(at: now) { $0?.phase = .paused(since: now, byBackground: false) }
    return nil
  }

  private mutating func resume(_ active: ActiveTimer, at now: Instant) throws -> TimerSession? {
    guard let since = active.pausedSince else { throw TimeclockError.timerConflict(.notPaused, timer) }
    let length = now.milliseconds(since: since)
    transition(at: now) { timer in
      timer?.phase = .running
      timer?.pausedMilliseconds += length
      timer?.endTime = active.endTime?.adding(milliseconds: length)
      timer?.lastStartTime = now
      timer?.backgroundSince = nil
    }
    return nil
  }

  private mutating func adjust(
    _ active: ActiveTimer, by milliseconds: Int64, at now: Instant
  ) throws -> TimerSession? {
    guard active.finishedAt == nil else { throw TimeclockError.timerConflict(.notRunning, timer) }
    guard let end = active.endTime?.adding(milliseconds: milliseconds) else {
      throw TimeclockError.timerConflict(.notCountdown, timer)
    }
    let length = end.milliseconds(since: active.startTime) - active.pausedMilliseconds
    guard length <= TimerLimits.seconds.upperBound * 1_000 else { throw TimeclockError.timerTooLong }
    transition(at: now) { timer in
      timer?.endTime = end
      timer?.adjustedMilliseconds += milliseconds
      timer?.wasAdjusted = true
    }
    guard end <= active.pausedSince ?? now else { return nil }
    return finish(at: now, noticedAt: now)
  }

  private mutating func skip(_ active: ActiveTimer, at now: Instant) -> TimerSession? {
    guard active.type != .rest else {
      transition(at: now) { $0 = nil }
      return nil
    }
    var session: TimerSession?
    if active.finishedAt == nil {
      let over = active.ended(at: now)
      session = store(over, endingAt: now, .skipped)
      count(over, endingAt: now)
    }
    begin(timer.nextType(after: active.type), at: now, after: active)
    return session
  }

  private mutating func next(_ active: ActiveTimer, at now: Instant) throws -> TimerSession? {
    guard active.finishedAt != nil else { throw TimeclockError.timerConflict(.notFinished, timer) }
    guard active.type != .rest else { throw TimeclockError.timerConflict(.noPendingAction, timer) }
    begin(timer.nextType(after: active.type), at: now, after: active)
    return nil
  }

  private mutating func stop(_ active: ActiveTimer, at now: Instant) -> TimerSession? {
    let session =
      active.finishedAt == nil ? store(active.ended(at: now), endingAt: now, .stopped) : nil
    transition(at: now) { $0 = nil }
    return session
  }

  /// Notes where the client is: in the foreground the timer goes on that its absence has paused.
  ///
  /// - Throws: `.noTimer`.
  package mutating func note(_ presence: TimerPresence, at time: Instant) throws {
    settle(at: time)
    let now = instant(time)
    let active = try requireActive()
    switch presence {
    case .background:
      // Nothing is kept that would not count.
      let matters = active.pausesInBackground || timer.settings.pauseInBackground
      guard matters, active.backgroundSince == nil else { return }
      note { timer in
        timer.active?.backgroundSince = now
        timer.past?.active?.backgroundSince = now
      }
    case .foreground:
      if case .paused(_, byBackground: true) = active.phase {
        _ = try resume(active, at: now)
        timer.past = nil
      } else if active.backgroundSince != nil {
        note { timer in
          timer.active?.backgroundSince = nil
          timer.past?.active?.backgroundSince = nil
        }
      }
    }
  }
}

// Steps.
extension TimerFold {
  /// Starts a timer of the same round as another.
  private mutating func begin(_ type: TimerType, at start: Instant, after before: ActiveTimer) {
    begin(
      type, at: start, seconds: timer.settings.seconds(of: type, subject: nil),
      isCountdown: type != .focus || timer.settings.isCountdown, purpose: before.purpose, subject: nil)
  }

  private mutating func begin(
    _ type: TimerType, at start: Instant, seconds: Int64, isCountdown: Bool, purpose: TimerPurpose,
    subject: TimerSubject?
  ) {
    if type == .focus { forgetStreak(at: start) }
    timer.autoStarts = 0
    let settings = timer.settings
    let begun = ActiveTimer(
      id: makeID(), type: type, phase: .running, startTime: start,
      endTime: isCountdown ? start.adding(milliseconds: seconds * 1_000) : nil, lastStartTime: start,
      pausedMilliseconds: 0,
      originalMilliseconds: (isCountdown ? seconds : settings.countUpLimitSeconds) * 1_000,
      adjustedMilliseconds: 0, wasAdjusted: false,
      pausesInBackground: settings.pauseInBackground, backgroundSince: nil, label: purpose.label,
      projectID: purpose.projectID, taskID: purpose.taskID, subject: subject)
    transition(at: start) { $0 = begun }
  }

  /// Forgets the streak before a focus that begins long after the last one has ended, so that yesterday's brings no long
  /// break this morning.
  private mutating func forgetStreak(at start: Instant) {
    let window = (timer.settings.focusSeconds + timer.settings.longBreakSeconds) * 1_000
    if let last = timer.lastFocusEnd, start.milliseconds(since: last) > window + TimerLimits.streakSlack {
      timer.streak = 0
    }
  }

  /// Counts a focus that has run to its end or was skipped, and resets the count after a long break.
  private mutating func count(_ over: ActiveTimer, endingAt end: Instant) {
    switch over.type {
    case .focus:
      timer.streak += 1
      timer.lastFocusEnd = end
    case .longBreak: timer.streak = 0
    case .shortBreak, .rest: break
    }
  }

  @discardableResult
  private mutating func store(
    _ over: ActiveTimer, endingAt end: Instant, _ outcome: TimerSession.Outcome
  ) -> TimerSession? {
    let session = TimerSession(of: over, endingAt: end, outcome, keptAt: present)
    if let session { sessions.append(session) }
    return session
  }

  private mutating func transition(at instant: Instant, _ change: (inout ActiveTimer?) -> Void) {
    change(&timer.active)
    timer.updatedAt = instant
    timer.version += 1
  }

  /// Makes a change that is no transition.
  package mutating func note(_ change: (inout MemberTimer) -> Void) {
    change(&timer)
    timer.version += 1
  }
}

extension ActiveTimer {
  fileprivate var purpose: TimerPurpose {
    TimerPurpose(label: label, projectID: projectID, taskID: taskID)
  }

  /// The purpose that carries over in the round; nil for a rest, which is in none.
  fileprivate var purposeOfRound: TimerPurpose? { type == .rest ? nil : purpose }

  /// The timer with the pause added that lasts until its end.
  fileprivate func ended(at end: Instant) -> ActiveTimer {
    var timer = self
    if let since = pausedSince { timer.pausedMilliseconds += max(0, end.milliseconds(since: since)) }
    return timer
  }
}
