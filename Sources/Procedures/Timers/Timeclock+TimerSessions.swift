import TimeclockDomain

/// Changes of a session of a timer; nil leaves a value as it is.
package struct TimerSessionChanges: Sendable {
  /// The inner nil takes it away.
  package var label: String??
  /// The inner nil takes it away. Another project takes the task away, if none is stated.
  package var projectID: ProjectID??
  /// The inner nil takes it away. A task brings its project.
  package var taskID: TaskID??
  /// The inner nil takes them away.
  package var notes: String??
  package var isArchived: Bool?

  package init(
    label: String?? = nil, projectID: ProjectID?? = nil, taskID: TaskID?? = nil, notes: String?? = nil,
    isArchived: Bool? = nil
  ) {
    self.label = label
    self.projectID = projectID
    self.taskID = taskID
    self.notes = notes
    self.isArchived = isArchived
  }
}

// Sessions are the caller's alone, as timers are.
extension Timeclock {
  /// The sessions that are read at once.
  private static var timerSessionPage: Int { 500 }

  /// A page of the caller's sessions, the newest start first. A session belongs to the date of the caller's zone on which it
  /// began.
  ///
  /// - Throws: `.invalidDateRange`; `MissingTimeZone`.
  package func timerSessions(
    _ dates: RequestedDates = RequestedDates(), after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<TimerSession, RowCursor> {
    // A timer that has ended has left its session, for every reader.
    _ = try await settledTimer(of: caller.key, at: clock.now)
    return try await storage.timerSessions(
      timerSessionQuery(dates, in: zone(stored: caller.timeZone), after: cursor, limit: limit, for: caller))
  }

  private func timerSessionQuery(
    _ dates: RequestedDates, in zone: Zone, after cursor: RowCursor? = nil, limit: Int,
    for caller: Membership
  ) async throws -> TimerSessionQuery {
    let (first, last) = try await ends(of: dates, for: caller)
    return TimerSessionQuery(
      member: caller.key, start: first.map(zone.startOfDay),
      end: last.map { zone.startOfDay($0.adding(days: 1)) }, cursor: cursor, limit: limit)
  }

  /// Changes a session of the caller.
  ///
  /// - Throws: `.timerSessionNotFound`, `.invalidName`, `.notesTooLong`, `.notesInvalid`, the errors of `timerWork`.
  package func updateTimerSession(
    _ id: TimerSessionID, _ changes: TimerSessionChanges, by caller: Membership
  ) async throws -> TimerSession {
    // Before anything about the content, as for every other id in a path.
    guard try await storage.timerSession(id, of: caller.key) != nil else {
      throw TimeclockError.timerSessionNotFound
    }
    let label = try changes.label.map(TimerText.name)
    let notes = try changes.notes.map { try $0.flatMap { try sanitized($0, by: caller.policy) } }
    let work = try await timerWork(
      SegmentPurpose(projectID: changes.projectID ?? nil, taskID: changes.taskID ?? nil), for: caller)
    return try await storage.updateTimerSession(id, of: caller.key) { session in
      session.label = label ?? session.label
      session.notes = notes ?? session.notes
      session.isArchived = changes.isArchived ?? session.isArchived
      if let project = changes.projectID, project != session.projectID {
        (session.projectID, session.taskID) = (project, nil)
      }
      if let task = changes.taskID {
        session.taskID = task
        if task != nil { session.projectID = work.projectID }
      }
    }
  }

  /// Deletes a session of the caller.
  ///
  /// - Throws: `.timerSessionNotFound`.
  package func deleteTimerSession(_ id: TimerSessionID, by caller: Membership) async throws {
    try await storage.deleteTimerSession(id, of: caller.key)
  }

  /// The sums of the caller's sessions, archived ones too.
  ///
  /// - Throws: `.invalidDateRange`; `MissingTimeZone`.
  package func timerStatistics(
    _ dates: RequestedDates = RequestedDates(), by grouping: TimerGrouping, for caller: Membership
  ) async throws -> TimerStatistics {
    let now = clock.now
    let zone = try zone(stored: caller.timeZone)
    let query = try await timerSessionQuery(dates, in: zone, limit: Self.timerSessionPage, for: caller)
    let (first, last) = try await ends(of: dates, for: caller)
    _ = try await settledTimer(of: caller.key, at: now)
    var summation = TimerSummation(by: grouping, in: zone)
    try await readTimerSessions(query) { session in
      summation.add(session)
      return true
    }
    var days = FocusDays(until: zone.localDate(at: now))
    try await readTimerSessions(TimerSessionQuery(member: caller.key, limit: Self.timerSessionPage)) {
      session in
      days.add(session, on: zone.localDate(at: session.startTime))
      return !days.isOver
    }
    return TimerStatistics(
      grouping: grouping, startDate: first, endDate: last, timeZone: zone.identifier, rows: summation.rows,
      total: summation.total, streak: days.count)
  }

  /// Reads sessions page by page, as long as `body` wants more.
  private func readTimerSessions(
    _ query: TimerSessionQuery, _ body: (TimerSession) -> Bool
  ) async throws {
    var query = query
    repeat {
      let page = try await storage.timerSessions(query)
      for session in page.elements {
        guard body(session) else { return }
      }
      query.cursor = page.next
    } while query.cursor != nil
  }
}
