import TimeclockDomain

/// The statements of a write of one member's entries, run one after the other.
struct TimeEntryStatements {
  typealias Run = (PostgreSQLStatement, [PostgreSQLValue]) async throws -> PostgreSQLRows

  /// Runs a statement that reads.
  let read: Run
  /// Runs a statement that writes.
  let write: Run
  /// Closes an entry and the segment that is open in it, statement by statement in one transaction.
  let closeWithSegments: (ClockOut) async throws -> WrittenEntry

  /// The most attempts at a write whose reason to fail has gone each time it is looked up.
  private static let attemptLimit = 10

  /// Keeps a new entry, as `TimeEntryStorage.createTimeEntry` says.
  func create(_ new: NewTimeEntry) async throws -> TimeEntry {
    for _ in 0..<Self.attemptLimit {
      let create = TimeEntryWrites.create
      let answer = try await write(create.statement, create.values(new))
      if try TimeEntryWrites.Created(answer, of: new).number != nil { return new.entry }
      try await throwConflict(with: new)
    }
    throw LoopConnections.unavailable
  }

  /// Throws the conflict with a new entry; returns if that has gone meanwhile.
  private func throwConflict(with new: NewTimeEntry) async throws {
    if new.entry.clockOutTime == nil, let active = try await active(of: new.member) {
      throw TimeclockError.alreadyClockedIn(active: active)
    }
    let overlapping = TimeEntryRows.overlapping
    let overlaps = try TimeEntryOverlaps(
      try await read(
        overlapping.statement,
        overlapping.values(
          MemberSpan(
            organization: new.member.organization, user: new.member.user, start: new.entry.clockInTime,
            end: new.entry.clockOutTime))))
    guard overlaps.count > 0 else { return }
    // One that began after the first question was asked.
    if new.entry.clockOutTime == nil, let active = overlaps.entries.first(where: { $0.clockOutTime == nil }) {
      throw TimeclockError.alreadyClockedIn(active: active)
    }
    throw TimeclockError.overlap(overlaps.entries, count: overlaps.count)
  }

  /// Closes the active entry, as `TimeEntryStorage.clockOut` says.
  func close(_ clockOut: ClockOut) async throws -> WrittenEntry {
    for _ in 0..<Self.attemptLimit {
      let close = TimeEntryWrites.close
      let closed = try await write(close.statement, close.values(clockOut))
        .first { try TimeEntryRows.entry($0) }
      if let closed { return WrittenEntry(timeEntry: closed, rows: [ClockRow(closed)]) }
      guard let active = try await active(of: clockOut.member) else { throw TimeclockError.notClockedIn }
      if clockOut.isStated, clockOut.time <= active.clockInTime { throw TimeclockError.endNotAfterStart }
      if try await hasSegments(after: clockOut) { return try await closeWithSegments(clockOut) }
      // The entry began, or a segment ended, after the statement did: once more.
    }
    throw LoopConnections.unavailable
  }

  /// Whether a segment of the active entry is open, or ends after the clock-out, and so has to be cut with it.
  private func hasSegments(after clockOut: ClockOut) async throws -> Bool {
    let member = clockOut.member
    return try await read(
      Self.segmentsAfter,
      [.integer(member.organization.value), .integer(member.user.value), .instant(clockOut.time)]
    ).first { _ in true } ?? false
  }

  private static let segmentsAfter = PostgreSQLStatement(
    """
    SELECT 1 FROM time_entries e JOIN segments s ON s.organization_id = e.organization_id AND s.time_entry_id = e.id \
    WHERE e.organization_id = $1 AND e.user_id = $2 AND e.clock_out IS NULL \
    AND (s.end_time IS NULL OR s.end_time > $3) LIMIT 1
    """)

  /// The member's active entry; nil when clocked out.
  func active(of member: MemberKey) async throws -> TimeEntry? {
    try await read(
      TimeEntryRows.active, [.integer(member.organization.value), .integer(member.user.value)]
    ).first { try TimeEntryRows.entry($0) }
  }
}
