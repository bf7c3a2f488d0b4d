import TimeclockDomain

extension Storage {
  /// One session of a member; nil if the member has none with this id.
  package func timerSession(_ id: TimerSessionID, of member: MemberKey) async throws -> TimerSession? {
    try await first(
      TimerSessionRows.one, [.key(member.organization), .key(member.user), .identifier(id)],
      in: .organization(member.organization), TimerSession.init)
  }

  /// A page of a member's sessions, the newest start first.
  package func timerSessions(_ query: TimerSessionQuery) async throws -> Page<TimerSession, RowCursor> {
    let member = query.member
    let rows = try await read(
      TimerSessionRows.page,
      [
        .key(member.organization), .key(member.user), .integer(query.start?.millisecondsSince1970 ?? .min),
        .integer(query.end?.millisecondsSince1970 ?? .max),
      ] + TimerSessionPlace.values(query.cursor) + [.integer(Int64(PageSize.clamped(query.limit)) + 1)],
      in: .organization(member.organization), limit: query.limit
    ) { row in
      let session = try TimerSession(&row)
      return (element: session, row: TimerSessionPlace.cursor(session))
    }
    return Page(rows: rows, limit: query.limit)
  }

  /// Changes a session: reads it, lets `change` change it, and writes it back, all in one transaction. Of a project or a task
  /// that is not there any more, nothing is kept.
  ///
  /// - Throws: `.timerSessionNotFound`; any error of `change`. Then nothing is changed.
  package func updateTimerSession(
    _ id: TimerSessionID, of member: MemberKey,
    _ change: @escaping @Sendable (inout TimerSession) throws -> Void
  ) async throws -> TimerSession {
    let organization = member.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let found = try await transaction.first(
        TimerSessionRows.locked, [.key(organization), .key(member.user), .identifier(id)]
      ) { row in
        let number = row.integer("timer_session_id")
        return (session: try TimerSession(&row), number: number)
      }
      guard let found else { throw TimeclockError.timerSessionNotFound }
      var session = found.session
      try change(&session)
      session.restoreFixed(from: found.session)
      guard session != found.session else { return session }
      try await transaction.update(
        StoredTimerSession(session: session, user: member.user), in: StoredTimerSession.table,
        of: organization, key: found.number)
      return session
    }
  }

  /// Deletes a session.
  ///
  /// - Throws: `.timerSessionNotFound`.
  package func deleteTimerSession(_ id: TimerSessionID, of member: MemberKey) async throws {
    let organization = member.organization
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let isDeleted = try await transaction.exists(
        TimerSessionRows.delete, [.key(organization), .key(member.user), .identifier(id)])
      guard isDeleted else { throw TimeclockError.timerSessionNotFound }
    }
  }

  /// Deletes some of a member's sessions, the oldest first.
  ///
  /// - Parameters:
  ///   - time: Only sessions that began before this instant; nil means all.
  ///   - limit: The most to delete, at least 1.
  /// - Returns: The number of sessions that were deleted; less than `limit` when none is left.
  package func deleteTimerSessions(
    of member: MemberKey, before time: Instant?, limit: Int
  ) async throws -> Int {
    let organization = member.organization
    return try await write(RecordWrite(.organization(organization), isLong: true), recording: nil) {
      transaction in
      try await transaction.read(
        TimerSessionRows.deleteFirst,
        [
          .key(organization), .key(member.user), .integer(time?.millisecondsSince1970 ?? .max),
          .integer(Int64(PageSize.clamped(limit))),
        ]
      ) { _ in }.count
    }
  }

  /// Deletes sessions of all organizations that ended longer ago than their organization's policy keeps them
  /// (`Policy.timerSessionDays`).
  ///
  /// - Parameter limit: The most to delete, at least 1.
  /// - Returns: The number of sessions that were deleted; less than `limit` when none is left.
  package func deleteExpiredTimerSessions(at now: Instant, limit: Int) async throws -> Int {
    let limit = PageSize.clamped(limit)
    var count = 0
    try await inOrganizationRanges { range in
      let most = Int64(limit - count)
      count += try await write(
        RecordWrite(.everyone(because: .timersEnd), isLong: true), recording: nil
      ) { transaction in
        try await transaction.read(
          TimerSessionRows.deleteExpired, [.instant(now), .integer(most)] + range.values
        ) { _ in }.count
      }
      return count < limit
    }
    return count
  }
}
