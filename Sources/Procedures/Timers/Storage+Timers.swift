import Synchronization
import TimeclockDomain

extension Storage {
  /// A member's timer as it was written last; nil if it never was. Time may have changed it since: `TimerFold`.
  package func timer(of member: MemberKey) async throws -> MemberTimer? {
    try await first(
      TimerRows.one, [.key(member.organization), .key(member.user)], in: .organization(member.organization),
      MemberTimer.init)
  }

  /// Changes a member's timer: reads it (`MemberTimer.unused` if there is none), lets `change` change it, and writes it
  /// back together with the sessions that it leaves, and without those that it retracts, all in one transaction in
  /// which nobody else changes it. If nothing has changed, nothing is written; otherwise listeners to the member's
  /// timer are notified after the commit.
  ///
  /// A session that begins when another of the same type of the member does is left out. Of a project or a task that is not
  /// there any more, nothing is kept.
  ///
  /// - Parameters:
  ///   - recording: Keeps the answer to the request, even if nothing else is written.
  ///   - change: Called inside the transaction, again if that has to begin again.
  /// - Throws: Any error of `change`; `.notFound(.member)` if the member has none and is anonymous, or there is no such
  ///   member. Then nothing is changed.
  package func changeTimer<Value: Sendable>(
    of member: MemberKey, recording: AnswerRecording<Value>?,
    _ change: @escaping @Sendable (inout TimerChange) throws -> Value
  ) async throws -> Value {
    let changed = ChangedTimers()
    // Even if the outcome of the commit is unknown: listeners then read the present state.
    defer { announce(changed.timers) }
    return try await write(RecordWrite(of: member), recording: recording) {
      transaction in
      changed.timers = []
      let (value, timer) = try await transaction.changeTimer(of: member, change)
      if let timer { changed.timers = [timer] }
      return value
    }
  }

  /// Changes timers of all organizations whose time has come (`MemberTimer.dueAt`), those that came first, each as
  /// `changeTimer` does, all in one transaction. A timer that somebody else is just changing is left for the next time, so
  /// that several programs share the work and none does it twice.
  ///
  /// - Parameters:
  ///   - limit: The most timers to change, at least 1.
  ///   - change: Brings a timer to now; called inside the transaction, again if that has to begin again.
  /// - Returns: The changes; less than `limit` if no more is due.
  package func changeDueTimers(
    at now: Instant, limit: Int, _ change: @escaping @Sendable (inout TimerChange) -> Void
  ) async throws -> [ChangedTimer] {
    let changed = ChangedTimers()
    defer { announce(changed.timers) }
    return try await write(RecordWrite(.everyone(because: .timersEnd), isLong: true), recording: nil) {
      transaction in
      changed.timers = []
      let due = try await transaction.read(
        TimerRows.due, [.instant(now), .integer(Int64(PageSize.clamped(limit)))]
      ) { row in
        let organization = OrganizationKey(row.integer("organization_id"))
        let member = MemberKey(organization: organization, user: UserKey(row.integer("user_id")))
        return (member: member, timer: try MemberTimer(&row))
      }
      let timers = due.compactMap { member, timer in
        var changing = TimerChange(timer: timer)
        change(&changing)
        return changing.changed(from: timer, of: member)
      }
      try await transaction.write(timers)
      changed.timers = timers
      return timers
    }
  }

  /// The first instant at which time alone changes a timer of any organization; nil if none runs.
  package func nextDueTimer() async throws -> Instant? {
    try await first(TimerRows.nextDue, [], in: .everyone(because: .timersEnd)) { $0.instant("due_at") }
  }
}

/// The timers that a transaction has changed, to be announced after it.
private final class ChangedTimers: Sendable {
  private let state = Mutex<[ChangedTimer]>([])

  var timers: [ChangedTimer] {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension TimerChange {
  /// The outcome; nil if nothing has changed.
  fileprivate func changed(from before: MemberTimer, of member: MemberKey) -> ChangedTimer? {
    guard timer != before || !sessions.isEmpty || !retracted.isEmpty else { return nil }
    return ChangedTimer(member: member, timer: timer, sessions: sessions)
  }
}

extension RecordTransaction {
  /// Changes a member's timer as `TimerStorage.changeTimer` says.
  ///
  /// - Returns: The value of `change`, and the outcome; nil if nothing has changed.
  fileprivate func changeTimer<Value>(
    of member: MemberKey, _ change: (inout TimerChange) throws -> Value
  ) async throws -> (value: Value, changed: ChangedTimer?) {
    while true {
      let before = try await first(
        TimerRows.locked, [.key(member.organization), .key(member.user)], MemberTimer.init)
      var changing = TimerChange(timer: before ?? .unused)
      let value = try change(&changing)
      guard let changed = changing.changed(from: before ?? .unused, of: member) else { return (value, nil) }
      if before == nil {
        let key: [RecordValue] = [.key(member.organization), .key(member.user)]
        guard try await exists(TimerRows.member, key) else { throw TimeclockError.notFound(.member) }
        let row = try await insert(
          changed.timer, into: MemberTimer.table, of: member.organization, key: member.user.value)
        // Somebody else has made the member's first one meanwhile.
        guard row != nil else { continue }
        try await keepSessions(of: [changed])
      } else {
        for id in changing.retracted {
          _ = try await exists(
            TimerSessionRows.delete, [.key(member.organization), .key(member.user), .identifier(id)])
        }
        try await write([changed])
      }
      return (value, changed)
    }
  }

  /// Overwrites timers, and keeps their sessions.
  fileprivate func write(_ changed: [ChangedTimer]) async throws {
    let table = MemberTimer.table
    // Those that are due are of several organizations.
    let counts = try await run(
      table.change,
      each: changed.map { changed in
        [.key(changed.member.organization), .key(changed.member.user)]
          + table.fields.map { $0.value(changed.timer) }
      })
    try MissedRows.requireNone(of: table.name, meant: changed.count, written: counts.reduce(0, +))
    try await keepSessions(of: changed)
  }

  /// Keeps the sessions of timers; one that another has the place of is left out.
  private func keepSessions(of changed: [ChangedTimer]) async throws {
    let table = StoredTimerSession.table
    let rows = changed.flatMap { changed in
      changed.sessions.map { session in
        let stored = StoredTimerSession(session: session, user: changed.member.user)
        return [.key(changed.member.organization)] + table.fields.map { $0.value(stored) }
      }
    }
    guard !rows.isEmpty else { return }
    try await insert(table.insertion, each: rows)
  }
}
