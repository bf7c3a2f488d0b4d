/// The storage of timers, and of the sessions that they leave. Nobody but their member sees any of it: it is in no log of
/// changes, and no method shows one member's to another.
package protocol TimerStorage: Sendable {
  /// A member's timer as it was written last; nil where it never was. Time may have changed it since: `TimerFold`.
  func timer(of member: MemberKey) async throws -> MemberTimer?

  /// Changes a member's timer: reads it (`MemberTimer.unused` where there is none), lets `change` change it, and writes it back
  /// together with the sessions that it leaves, and without those that it retracts, all in one transaction in which nobody else
  /// changes it. Where nothing has changed, nothing is written; otherwise those who listen to the member's timer are told after
  /// the commit.
  ///
  /// A session that begins when another of the same type of the member does is left out. Of a project or a task that is not
  /// there any more, nothing is kept.
  ///
  /// - Parameters:
  ///   - recording: Keeps the answer to the request, also where nothing else is written.
  ///   - change: Called inside the transaction, again if that has to begin again.
  /// - Throws: Any error of `change`; `.notFound(.member)` where the member has none and is anonymous, or there is no such
  ///   member. Then nothing is changed.
  func changeTimer<Value: Sendable>(
    of member: MemberKey, recording: AnswerRecording<Value>?,
    _ change: @escaping @Sendable (inout TimerChange) throws -> Value
  ) async throws -> Value

  /// Changes timers of all organizations whose time has come (`MemberTimer.dueAt`), those that came first, each as
  /// `changeTimer` does, all in one transaction. A timer that somebody else is just changing is left for the next time, so
  /// that several programs share the work and none does it twice.
  ///
  /// - Parameters:
  ///   - limit: The most timers to change, at least 1.
  ///   - change: Brings a timer to now; called inside the transaction, again if that has to begin again.
  /// - Returns: What has changed; less than `limit` where no more is due.
  func changeDueTimers(
    at now: Instant, limit: Int, _ change: @escaping @Sendable (inout TimerChange) -> Void
  ) async throws -> [ChangedTimer]

  /// The first instant at which time alone changes a timer of any organization; nil where none runs.
  func nextDueTimer() async throws -> Instant?

  /// Has `onChange` called when the member's timer has changed, by this process or, on a storage that others write to as
  /// well, by another. It comes after the commit, within a second unless the network has lost it.
  ///
  /// - Parameter onChange: Called from any thread, also from one that others wait for; it must return at once.
  /// - Returns: What ends the listening when it goes.
  func listen(toTimerOf member: MemberKey, _ onChange: @escaping @Sendable () -> Void) -> TimerBus.Listening

  /// Has `onDue` called with the instant at which a timer changes by itself, when it has been written by this process or
  /// another, or with nil where that has to be looked up (`nextDueTimer`). It comes after the commit, within a second
  /// unless the network has lost it.
  ///
  /// - Parameter onDue: Called from any thread, also from one that others wait for; it must return at once.
  /// - Returns: The listener's place; listening ends with it.
  func listenToDueTimers(_ onDue: @escaping @Sendable (Instant?) -> Void) -> DueTimerBus.Listening

  /// One session of a member; nil where the member has none with this id.
  func timerSession(_ id: TimerSessionID, of member: MemberKey) async throws -> TimerSession?

  /// A page of a member's sessions, the newest start first.
  func timerSessions(_ query: TimerSessionQuery) async throws -> Page<TimerSession, RowCursor>

  /// Changes a session: reads it, lets `change` change it, and writes it back, all in one transaction. Of a project or a task
  /// that is not there any more, nothing is kept.
  ///
  /// - Throws: `.timerSessionNotFound`; any error of `change`. Then nothing is changed.
  func updateTimerSession(
    _ id: TimerSessionID, of member: MemberKey,
    _ change: @escaping @Sendable (inout TimerSession) throws -> Void
  ) async throws -> TimerSession

  /// Deletes a session.
  ///
  /// - Throws: `.timerSessionNotFound`.
  func deleteTimerSession(_ id: TimerSessionID, of member: MemberKey) async throws

  /// Deletes some of a member's sessions, the oldest first.
  ///
  /// - Parameters:
  ///   - time: Only sessions that began before this instant; nil means all.
  ///   - limit: The most to delete, at least 1.
  /// - Returns: The number of sessions that were deleted; less than `limit` when none is left.
  func deleteTimerSessions(of member: MemberKey, before time: Instant?, limit: Int) async throws -> Int

  /// Deletes sessions of all organizations that ended longer ago than their organization's policy keeps them
  /// (`Policy.timerSessionDays`).
  ///
  /// - Parameter limit: The most to delete, at least 1.
  /// - Returns: The number of sessions that were deleted; less than `limit` when none is left.
  func deleteExpiredTimerSessions(at now: Instant, limit: Int) async throws -> Int
}

/// A timer in a transaction that changes it.
package struct TimerChange: Sendable {
  package var timer: MemberTimer
  /// The sessions to keep, in the order of their ends.
  package var sessions: [TimerSession] = []
  /// The kept sessions to delete before, because a command takes back what time has left; those that are not there count as
  /// deleted.
  package var retracted: [TimerSessionID] = []

  package init(timer: MemberTimer) {
    self.timer = timer
  }
}

/// A timer that time has changed.
package struct ChangedTimer: Sendable {
  package var member: MemberKey
  package var timer: MemberTimer
  /// The sessions that were kept with it.
  package var sessions: [TimerSession]

  package init(member: MemberKey, timer: MemberTimer, sessions: [TimerSession]) {
    self.member = member
    self.timer = timer
    self.sessions = sessions
  }
}

/// The sessions of a member that a list shows.
package struct TimerSessionQuery: Sendable {
  package var member: MemberKey
  /// Only sessions that begin at or after this instant; nil leaves that side open.
  package var start: Instant?
  /// Only sessions that begin before this instant; nil leaves that side open.
  package var end: Instant?
  package var cursor: RowCursor?
  /// The most sessions to return, at least 1.
  package var limit: Int

  package init(
    member: MemberKey, start: Instant? = nil, end: Instant? = nil, cursor: RowCursor? = nil, limit: Int
  ) {
    self.member = member
    self.start = start
    self.end = end
    self.cursor = cursor
    self.limit = limit
  }
}
