import TimeclockDomain

extension PostgreSQLStorage {
  package func createTimeEntry(_ new: NewTimeEntry) async throws -> TimeEntry {
    for _ in 0..<Self.attemptLimit {
      let answer = try await write(
        TimeEntryWrites.create, TimeEntryWrites.createValues(new), lockOrder: .init(new.member))
      if try TimeEntryWrites.Created(answer, of: new).number != nil {
        noteChange()
        return new.entry
      }
      try await throwConflict(with: new)
    }
    throw LoopConnections.unavailable
  }

  /// Throws what was in the way of a new entry; returns where that has gone meanwhile.
  private func throwConflict(with new: NewTimeEntry) async throws {
    if new.entry.clockOutTime == nil, let active = try await activeTimeEntry(of: new.member) {
      throw TimeclockError.alreadyClockedIn(active: active)
    }
    let rows = try await read(
      TimeEntryRows.overlapping,
      [
        .integer(new.member.organization.value), .integer(new.member.user.value),
        .instant(new.entry.clockInTime), .optional(new.entry.clockOutTime),
      ])
    guard let count = rows.first({ $0.integer(TimeEntryRows.columnCount) }) else { return }
    throw TimeclockError.overlap(try rows.map(TimeEntryRows.entry), count: Int(count))
  }

  package func clockOut(_ clockOut: ClockOut) async throws -> TimeEntry {
    for _ in 0..<Self.attemptLimit {
      let closed = try await write(
        TimeEntryWrites.close, TimeEntryWrites.closeValues(clockOut), lockOrder: .init(clockOut.member)
      ).first { try TimeEntryRows.entry($0) }
      if let closed {
        noteChange()
        return closed
      }
      guard let active = try await activeTimeEntry(of: clockOut.member) else {
        throw TimeclockError.notClockedIn
      }
      if clockOut.isStated, clockOut.time <= active.clockInTime { throw TimeclockError.endNotAfterStart }
      // The entry began after the statement did: once more.
    }
    throw LoopConnections.unavailable
  }

  package func activeTimeEntry(of member: MemberKey) async throws -> TimeEntry? {
    try await read(
      TimeEntryRows.active, [.integer(member.organization.value), .integer(member.user.value)]
    ).first { try TimeEntryRows.entry($0) }
  }

  package func timeEntry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry? {
    try await read(TimeEntryRows.byID, [.integer(organization.value), .identifier(id)])
      .first { try TimeEntryRows.entry($0) }
  }

  package func timeEntries(_ query: TimeEntryQuery) async throws -> Page<TimeEntry, TimeEntryCursor> {
    var session: Int64?
    if let id = query.session { session = try await row(of: id, in: query.organization) }
    let selection = TimeEntrySelection(query, session: session)
    let rows = try await read(selections.statement(selection.sql), selection.values)
      .map { row in (entry: try TimeEntryRows.entry(row), cursor: TimeEntryRows.cursor(row)) }
    let shown = rows.prefix(PageLimit.clamped(query.limit))
    return Page(
      elements: shown.map(\.entry), next: rows.count > shown.count ? shown.last?.cursor : nil)
  }

  private func row(of session: SessionID, in organization: OrganizationKey) async throws -> Int64 {
    let row = try await read(Self.sessionRow, [.integer(organization.value), .identifier(session)])
      .first { $0.integer(0) }
    guard let row else { throw TimeclockError.notFound(.session) }
    return row
  }

  private static let sessionRow = PostgreSQLStatement(
    "SELECT session_id FROM sessions WHERE organization_id = $1 AND id = $2")

  /// How often a write is tried whose reason to fail was gone when it was looked for.
  private static let attemptLimit = 10
}

extension WaitingQuery.LockOrder {
  init(_ member: MemberKey) {
    self.init(first: member.organization.value, second: member.user.value)
  }
}
