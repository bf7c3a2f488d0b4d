import Procedures
import TimeclockDomain

extension PostgreSQLStorage {
  package func createTimeEntry(
    _ new: NewTimeEntry, recording: AnswerRecording<TimeEntry>?
  ) async throws -> TimeEntry {
    guard new.boundChange != nil else {
      return try await once(recording, for: new.member) { try await $0.create(new) }
    }
    // Even if the outcome of the commit is unknown.
    defer { noteChange() }
    return try await onLoop { connections in
      try await connections.transaction(
        in: .organization(new.member.organization), .short(locking: .init(new.member))
      ) { transaction in
        try await transaction.once(recording) {
          // Marks are read under the lock.
          let records = PostgreSQLRecords(transaction: transaction)
          try await records.lockForSegments(new.member)
          return try await records.createEntry(new)
        }
      }
    }
  }

  package func clockOut(
    _ clockOut: ClockOut, recording: AnswerRecording<WrittenEntry>?
  ) async throws -> TimeEntry {
    try await once(recording, for: clockOut.member) { try await $0.close(clockOut) }.timeEntry
  }

  /// Runs the statements of a write of one member: each by itself, together with those of other requests, or, if the
  /// answer is to be kept, all in one transaction.
  private func once<Value: Sendable>(
    _ recording: AnswerRecording<Value>?, for member: MemberKey,
    _ body: (TimeEntryStatements) async throws -> Value
  ) async throws -> Value {
    // Even if the outcome of the commit is unknown.
    defer { noteChange() }
    let scope = RowScope.organization(member.organization)
    guard let recording else {
      return try await body(
        TimeEntryStatements(
          read: { try await self.read($0, $1, in: scope) },
          write: { try await self.write($0, $1, in: scope, lockOrder: WaitingQuery.LockOrder(member)) },
          closeWithSegments: { clockOut in
            try await self.onLoop { connections in
              try await connections.transaction(in: scope, .short(locking: .init(member))) { transaction in
                try await transaction.clockOut(clockOut)
              }
            }
          }))
    }
    return try await onLoop { connections in
      try await connections.transaction(in: scope, .short(locking: .init(member))) { transaction in
        try await transaction.once(recording) { try await body(TimeEntryStatements(in: transaction)) }
      }
    }
  }

  package func activeTimeEntry(of member: MemberKey) async throws -> TimeEntry? {
    try await read(
      TimeEntryRows.active, [.integer(member.organization.value), .integer(member.user.value)],
      in: .organization(member.organization)
    ).first { try TimeEntryRows.entry($0) }
  }

  package func timeEntry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry? {
    try await read(
      TimeEntryRows.byID, [.integer(organization.value), .identifier(id)], in: .organization(organization)
    ).first { try TimeEntryRows.entry($0) }
  }

  package func timeEntries(_ query: TimeEntryQuery) async throws -> Page<TimeEntry, TimeEntryCursor> {
    var session: Int64?
    if let id = query.session { session = try await row(of: id, in: query.organization) }
    let limit = PageLimit.clamped(query.limit)
    var walks: [TimeEntryWalk] = []
    for query in query.ofEachOwner { walks.append(try await walk(query, session: session, limit: limit)) }
    return TimeEntryWalk.page(of: walks, limit: limit)
  }

  /// Reads the entries of one owner, or everyone's, from a place on. Those that a filter passes over are read in larger
  /// parts than those that are shown.
  private func walk(_ query: TimeEntryQuery, session: Int64?, limit: Int) async throws -> TimeEntryWalk {
    var walk = TimeEntryWalk(query, limit: limit)
    var part = query
    var hasNext = true
    while hasNext {
      part.limit = query.filter.isEmpty ? limit : max(1, min(Self.passedRows, walk.rowsLeft))
      let selection = TimeEntrySelection(part, session: session)
      let rows = try await read(
        selections.statement(selection.sql), selection.values, in: .organization(query.organization))
      let isTaken = try (0..<rows.count).allSatisfy { number in
        let row = rows[number]
        return try walk.take(TimeEntryRows.entry(row), at: TimeEntryRows.cursor(row))
      }
      part.cursor = walk.end
      hasNext = isTaken && rows.count > part.limit
    }
    return walk
  }

  /// The rows of one part if a filter passes over some.
  private static let passedRows = 500

  /// The row of a session.
  ///
  /// - Throws: `TimeclockError.notFound(.session)`.
  func row(of session: SessionID, in organization: OrganizationKey) async throws -> Int64 {
    let row = try await read(
      Self.sessionRow, [.integer(organization.value), .identifier(session)], in: .organization(organization)
    ).first { $0.integer(0) }
    guard let row else { throw TimeclockError.notFound(.session) }
    return row
  }

  private static let sessionRow = PostgreSQLStatement(
    "SELECT session_id FROM sessions WHERE organization_id = $1 AND id = $2")
}

extension TimeEntryStatements {
  /// The statements as parts of a transaction.
  init(in transaction: PostgreSQLTransaction) {
    self.init(
      read: { try await transaction.run($0, $1) }, write: { try await transaction.run($0, $1) },
      closeWithSegments: { try await transaction.clockOut($0) })
  }
}

extension PostgreSQLTransaction {
  /// Closes the member's active entry and the segment that is open in it.
  fileprivate func clockOut(_ clockOut: ClockOut) async throws -> WrittenEntry {
    let records = PostgreSQLRecords(transaction: self)
    try await records.lockForSegments(clockOut.member)
    let closed = try await records.closeActiveEntry(of: clockOut.member, clockOut.context) { entry in
      try entry.close(
        at: clockOut.time, isStated: clockOut.isStated, by: clockOut.policy, now: clockOut.context.time)
      if let notes = clockOut.notes { entry.notes = notes }
    }
    guard let closed else { throw TimeclockError.notClockedIn }
    return closed
  }
}

extension WaitingQuery.LockOrder {
  init(_ member: MemberKey) {
    self.init(first: member.organization.value, second: member.user.value)
  }
}
