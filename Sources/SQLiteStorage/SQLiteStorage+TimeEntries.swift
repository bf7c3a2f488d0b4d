import TimeclockDomain

extension SQLiteStorage {
  package func createTimeEntry(_ new: NewTimeEntry) async throws -> TimeEntry {
    try await writer.write { [identifiers] transaction in
      let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
      try work.requireActiveMember(new.member)
      let session = try new.entry.sessionID.map { try work.session($0, for: new) }
      if new.entry.clockOutTime == nil, let active = try work.activeEntry(of: new.member) {
        throw TimeclockError.alreadyClockedIn(active: active.entry)
      }
      try work.requireFreeSpan(of: new)
      try work.insert(new, session: session)
      return new.entry
    }
  }

  package func clockOut(_ clockOut: ClockOut) async throws -> TimeEntry {
    try await writer.write { [identifiers] transaction in
      let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
      guard let active = try work.activeEntry(of: clockOut.member) else {
        throw TimeclockError.notClockedIn
      }
      var entry = active.entry
      try entry.close(
        at: clockOut.time, isStated: clockOut.isStated, by: clockOut.policy, now: clockOut.now)
      if let notes = clockOut.notes { entry.notes = notes }
      try work.close(entry, number: active.number, of: clockOut.member)
      return entry
    }
  }

  package func activeTimeEntry(of member: MemberKey) async throws -> TimeEntry? {
    try read { connection in
      try TimeEntryRows(connection: connection, identifiers: identifiers).active(of: member)?.entry
    }
  }

  package func timeEntry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry? {
    try read { connection in
      try connection.statement(built: TimeEntryRows.byID).first([
        .integer(organization.value), .identifier(id),
      ]) {
        try TimeEntryRows(connection: connection, identifiers: identifiers).entry($0)
      }
    }
  }

  package func timeEntries(_ query: TimeEntryQuery) async throws -> Page<TimeEntry, TimeEntryCursor> {
    try read { connection in
      let selection = try TimeEntrySelection(query, on: connection)
      let rows = TimeEntryRows(connection: connection, identifiers: identifiers)
      var entries = try connection.statement(built: selection.sql).all(selection.values) {
        (entry: try rows.entry($0), cursor: rows.cursor($0))
      }
      var next: TimeEntryCursor?
      if entries.count > query.limit {
        entries.removeLast()
        next = entries.last?.cursor
      }
      return Page(elements: entries.map(\.entry), next: next)
    }
  }
}

extension TimeEntryRows {
  fileprivate static let byID = """
    SELECT \(columns) FROM time_entries e WHERE e.organization_id = ?1 AND e.id = ?2
    """

  private static let activeOfMember = """
    SELECT \(columns) FROM time_entries e INDEXED BY time_entries_one_active \
    WHERE e.organization_id = ?1 AND e.user_id = ?2 AND e.clock_out IS NULL
    """

  /// The member's active entry and its number.
  func active(of member: MemberKey) throws -> (entry: TimeEntry, number: Int64)? {
    try connection.statement(built: Self.activeOfMember).first([
      .integer(member.organization.value), .integer(member.user.value),
    ]) {
      (try entry($0), $0.integer(4))
    }
  }
}
