import TimeclockDomain

extension SQLiteStorage {
  package func createTimeEntry(
    _ new: NewTimeEntry, recording: AnswerRecording<TimeEntry>?
  ) async throws -> TimeEntry {
    try await write(.short(new.member.organization), recording: recording) { [identifiers] transaction in
      try TimeEntryWork(transaction: transaction, identifiers: identifiers).create(new)
    }
  }

  package func createTimeEntries(
    _ new: [NewTimeEntry], keeping: BulkKeeping,
    recording: AnswerRecording<[Result<TimeEntry, TimeclockError>]>?
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    let length = WriteLength.rows(new.count, of: new.first?.member.organization)
    do {
      return try await write(length, recording: recording) { [identifiers] transaction in
        let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
        let outcomes = try new.map { new -> Result<TimeEntry, TimeclockError> in
          // A refused entry has written nothing: it is judged before, or by the statement that inserts it, which
          // undoes itself (sqlite.org/lang_conflict.html, ABORT).
          do { return .success(try work.create(new)) } catch let error as TimeclockError {
            return .failure(error)
          }
        }
        try keeping.check(outcomes)
        return outcomes
      }
    } catch let nothing as NothingKept {
      return nothing.outcomes
    }
  }

  package func clockOut(
    _ clockOut: ClockOut, recording: AnswerRecording<WrittenEntry>?
  ) async throws -> TimeEntry {
    let written = try await write(.short(clockOut.member.organization), recording: recording) {
      [identifiers] transaction in
      let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
      guard let active = try work.rows.active(of: clockOut.member) else { throw TimeclockError.notClockedIn }
      var entry = active.entry
      try entry.close(
        at: clockOut.time, isStated: clockOut.isStated, by: clockOut.policy, now: clockOut.context.time)
      if let notes = clockOut.notes { entry.notes = notes }
      let segments = try work.haveSegmentsFollow(
        active.entry, to: entry, in: clockOut.member.organization, clockOut.context)
      try work.close(entry, number: active.number, of: clockOut.member)
      try transaction.log(
        from: .timeEntry(active.entry), to: .timeEntry(entry), in: clockOut.member.organization,
        clockOut.context)
      return WrittenEntry(timeEntry: entry, rows: segments + [ClockRow(entry)])
    }
    return written.timeEntry
  }

  package func activeTimeEntry(of member: MemberKey) async throws -> TimeEntry? {
    try read { connection in
      try TimeEntryRows(connection: connection, identifiers: identifiers).active(of: member)?.entry
    }
  }

  package func timeEntry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry? {
    try read { connection in
      try TimeEntryRows(connection: connection, identifiers: identifiers).entry(id, in: organization)
    }
  }

  package func timeEntries(_ query: TimeEntryQuery) async throws -> Page<TimeEntry, TimeEntryCursor> {
    let limit = PageLimit.clamped(query.limit)
    let queries = query.ofEachOwner
    return try await readPage(of: query.organization, limit: queries.count * query.rowLimit(limit)) {
      [identifiers] connection in
      let rows = TimeEntryRows(connection: connection, identifiers: identifiers)
      let walks = try queries.map { query in
        let selection = try TimeEntrySelection(query, on: connection)
        var walk = TimeEntryWalk(query, limit: limit)
        try connection.statement(built: selection.sql).walk(selection.values) { row in
          try walk.take(rows.entry(row), at: rows.cursor(row))
        }
        return walk
      }
      return TimeEntryWalk.page(of: walks, limit: limit)
    }
  }
}
