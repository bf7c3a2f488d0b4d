import Synchronization
import TimeclockDomain

extension RecordStorage {
  package func timer(of member: MemberKey) async throws -> MemberTimer? {
    try await first(
      TimerRows.one, [.key(member.organization), .key(member.user)], in: .organization(member.organization),
      MemberTimer.init)
  }

  package func changeTimer<Value: Sendable>(
    of member: MemberKey, recording: AnswerRecording<Value>?,
    _ change: @escaping @Sendable (inout TimerChange) throws -> Value
  ) async throws -> Value {
    let changed = ChangedTimers()
    // Also where nobody can tell whether it was committed: who listens then reads what there is.
    defer { announce(changed.timers) }
    return try await write(RecordWrite(of: member), recording: recording) {
      transaction in
      changed.timers = []
      let (value, timer) = try await transaction.changeTimer(of: member, change)
      if let timer { changed.timers = [timer] }
      return value
    }
  }

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
  /// The outcome; nil where nothing has changed.
  fileprivate func changed(from before: MemberTimer, of member: MemberKey) -> ChangedTimer? {
    guard timer != before || !sessions.isEmpty || !retracted.isEmpty else { return nil }
    return ChangedTimer(member: member, timer: timer, sessions: sessions)
  }
}

extension RecordTransaction {
  /// Changes a member's timer as `TimerStorage.changeTimer` says.
  ///
  /// - Returns: The value of `change`, and the outcome; nil where nothing has changed.
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

  /// Writes timers over what is there, and keeps their sessions.
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
