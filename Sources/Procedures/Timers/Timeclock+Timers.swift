import TimeclockDomain

// Timers are the caller's alone: no function names another member.
extension Timeclock {
  /// The caller's timer as it is now, and the newest session. Changes by time are written.
  package func currentTimer(for caller: Membership) async throws -> CurrentTimer {
    let now = clock.now
    let timer = try await settledTimer(of: caller.key, at: now)
    let sessions = try await storage.timerSessions(TimerSessionQuery(member: caller.key, limit: 1))
    return CurrentTimer(
      timer: timer, lastSession: sessions.elements.first, time: max(now, timer.updatedAt))
  }

  /// Starts the caller's timer, pauses it, and so on. Changes by time come first, and stay if the command is refused.
  ///
  /// - Parameter expectedVersion: The version of the timer that the command is meant for; nil means any. Of no account for a
  ///   start.
  /// - Throws: `.invalidTimerDuration`, `.mustCountDown`, `.invalidName`, `.invalidSubjectID`, `.invalidRoutine`, the errors
  ///   of `timerWork`; `.noTimer`, `.timerTooLong`, `.timerConflict`, `.timerChanged`.
  package func command(
    _ command: TimerCommand, expectedVersion: Int64? = nil, by caller: Membership,
    recording: AnswerRecording<TimerOutcome>? = nil
  ) async throws -> TimerOutcome {
    let now = clock.now
    let order = try await order(command, by: caller, at: now)
    return try await change(of: caller.key, at: now, recording: recording) { fold in
      if case .start = order {} else { try fold.timer.requireActive(version: expectedVersion) }
      let result = try fold.apply(order, at: now)
      return TimerOutcome(
        notStarted: result.notStarted, timer: fold.timer, session: result.session, time: fold.instant(now))
    }
  }

  /// Notes whether the caller's client is looked at.
  ///
  /// - Throws: `.noTimer`.
  package func setTimerPresence(
    _ presence: TimerPresence, by caller: Membership, recording: AnswerRecording<TimerOutcome>? = nil
  ) async throws -> TimerOutcome {
    let now = clock.now
    return try await change(of: caller.key, at: now, recording: recording) { fold in
      try fold.note(presence, at: now)
      return TimerOutcome(timer: fold.timer, session: nil, time: fold.instant(now))
    }
  }

  /// Keeps the caller's routine.
  ///
  /// - Throws: `.invalidName`, `.invalidRoutine`.
  package func putRoutine(_ request: RoutineRequest, by caller: Membership) async throws -> TimerRoutine {
    let now = clock.now
    let routine = try request.validated(at: now)
    return try await change(of: caller.key, at: now) { fold in
      if !fold.timer.isStated(routine) { fold.note { $0.replaceRoutine(by: routine) } }
      return routine
    }
  }

  /// Takes the caller's routine away, if there is one.
  package func deleteRoutine(by caller: Membership) async throws {
    try await change(of: caller.key, at: clock.now) { fold in
      if !fold.timer.isStated(nil) { fold.note { $0.replaceRoutine(by: nil) } }
    }
  }

  /// The caller's settings.
  package func timerSettings(for caller: Membership) async throws -> TimerSettings {
    try await storage.timer(of: caller.key)?.settings ?? .standard
  }

  /// Replaces the caller's settings. The same again change nothing.
  ///
  /// - Parameter settings: Their version is of no account.
  /// - Throws: `.invalidTimerSettings`, `.timerChanged`.
  package func putTimerSettings(
    _ settings: TimerSettings, expectedVersion: Int64?, by caller: Membership
  ) async throws -> TimerSettings {
    let stated = try settings.validated()
    return try await change(of: caller.key, at: clock.now) { fold in
      let before = fold.timer.settings
      guard expectedVersion ?? before.version == before.version else {
        throw TimeclockError.timerChanged(current: .settings(before))
      }
      var settings = stated
      settings.version = before.version
      guard settings != before else { return before }
      settings.version += 1
      fold.note { [settings] in $0.settings = settings }
      return settings
    }
  }
}

// The effects of time.
extension Timeclock {
  /// Brings timers of all organizations to the present whose time has come.
  ///
  /// - Parameter limit: The most timers, at least 1.
  /// - Returns: The timers that have changed; less than `limit` if no more is due.
  package func foldDueTimers(at time: TrustedInstant, limit: Int) async throws -> [ChangedTimer] {
    let now = time.instant
    return try await storage.changeDueTimers(at: now, limit: limit) { [self] change in
      settle(&change, at: now)
    }
  }

  /// Removes sessions of all organizations that are older than they are kept. A canceled task ends between two batches.
  package func deleteExpiredTimerSessions(at time: SettledInstant) async throws {
    let now = time.instant
    while !Task.isCancelled {
      let count = try await storage.deleteExpiredTimerSessions(at: now, limit: Self.expiredSessionBatch)
      if count < Self.expiredSessionBatch { return }
    }
  }

  /// The number of sessions that are removed in one transaction, which others wait for.
  private static var expiredSessionBatch: Int { 500 }

  /// A member's timer, brought to the present; written only if time has changed it.
  func settledTimer(of member: MemberKey, at now: Instant) async throws -> MemberTimer {
    let stored = try await storage.timer(of: member) ?? .unused
    guard let due = stored.dueAt, due <= max(now, stored.updatedAt) else { return stored }
    return try await storage.changeTimer(of: member, recording: nil) { [self] change in
      settle(&change, at: now)
      return change.timer
    }
  }

  private func settle(_ change: inout TimerChange, at now: Instant) {
    var fold = fold(change.timer, at: now)
    fold.settle(at: now)
    change.take(fold)
  }

  func fold(_ timer: MemberTimer, at now: Instant) -> TimerFold {
    TimerFold(timer, at: now) { [identifiers] in identifiers.next(at: now) }
  }

  /// Brings a member's timer to the present, and changes it. If that is refused, time's part stays.
  private func change<Value: Sendable>(
    of member: MemberKey, at now: Instant, recording: AnswerRecording<Value>? = nil,
    _ body: @escaping @Sendable (inout TimerFold) throws -> Value
  ) async throws -> Value {
    do {
      return try await storage.changeTimer(of: member, recording: recording) { [self] change in
        var fold = fold(change.timer, at: now)
        fold.settle(at: now)
        let value = try body(&fold)
        change.take(fold)
        return value
      }
    } catch let refusal as TimeclockError where refusal.isAboutTimer {
      let settled = try await settledTimer(of: member, at: now)
      throw refusal.about(settled)
    }
  }
}

// The content of commands.
extension Timeclock {
  /// A command with its content checked.
  func order(_ command: TimerCommand, by caller: Membership, at now: Instant) async throws -> TimerOrder {
    var work = SegmentPurpose()
    if case .start(let request) = command {
      work = try await timerWork(
        SegmentPurpose(projectID: request.projectID, taskID: request.taskID), for: caller)
    }
    return try command.validated(at: now, work: work)
  }

  /// The project and the task that a timer or a session of the caller is for. A task brings its project.
  ///
  /// - Throws: `.projectNotFound` and `.unknownTask`, also for another member's own; `.projectArchived`, `.taskHidden`,
  ///   `.taskNotInProject`.
  func timerWork(_ stated: SegmentPurpose, for caller: Membership) async throws -> SegmentPurpose {
    let organization = caller.key.organization
    var project: Project?
    if let id = stated.projectID {
      project = try await storage.project(id, in: organization)
      guard project?.isUsable(by: caller) == true else { throw TimeclockError.projectNotFound }
    }
    if let id = stated.taskID {
      guard let task = try await storage.task(id, in: organization), task.isUsable(by: caller) else {
        throw TimeclockError.unknownTask
      }
      guard !task.isHidden else { throw TimeclockError.taskHidden }
      guard project == nil || task.projectID == project?.id else { throw TimeclockError.taskNotInProject }
      if let id = task.projectID { project = try await storage.project(id, in: organization) }
    }
    guard project?.isArchived != true else { throw TimeclockError.projectArchived }
    return SegmentPurpose(projectID: project?.id, taskID: stated.taskID)
  }
}

extension OwnedResource {
  /// Whether the caller may work for it: it is the organization's, or their own.
  fileprivate func isUsable(by caller: Membership) -> Bool {
    ownerID == nil || ownerID == caller.userID
  }
}

extension MemberTimer {
  /// Refuses a command to no timer, or one that is meant for another version.
  ///
  /// - Throws: `.noTimer`, `.timerChanged`.
  fileprivate func requireActive(version expected: Int64?) throws {
    guard active != nil else { throw TimeclockError.noTimer }
    guard expected ?? version == version else { throw TimeclockError.timerChanged(current: .timer(self)) }
  }
}

extension TimerChange {
  /// Takes over a fold's result.
  mutating func take(_ fold: TimerFold) {
    timer = fold.timer
    sessions = fold.sessions
    retracted = fold.retracted
  }
}

extension TimeclockError {
  /// Whether the timer as it is stands in the way.
  fileprivate var isAboutTimer: Bool {
    switch self {
    case .timerConflict, .timerChanged, .noTimer, .timerTooLong: true
    default: false
    }
  }

  /// The refusal with the timer as it has been kept, whose id a fold of its own would not have.
  fileprivate func about(_ timer: MemberTimer) -> TimeclockError {
    switch self {
    case .timerConflict(let conflict, _): .timerConflict(conflict, timer)
    case .timerChanged(.timer): .timerChanged(current: .timer(timer))
    default: self
    }
  }
}
