import Procedures
import TimeclockDomain

extension PostgreSQLStorage {
  package func updateTimeEntry(
    _ update: TimeEntryUpdate, _ change: @escaping @Sendable (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry {
    defer { noteChange() }
    return try await onLoop { connections in
      try await connections.transaction(in: .organization(update.organization)) { transaction in
        try await transaction.update(update, change)
      }
    }
  }

  package func deleteTimeEntry(
    _ update: TimeEntryUpdate, _ check: @escaping @Sendable (TimeEntry) throws -> Void
  ) async throws {
    defer { noteChange() }
    try await onLoop { connections in
      try await connections.transaction(in: .organization(update.organization)) { transaction in
        _ = try await transaction.delete(update, check)
      }
    }
  }

  package func overlaps(
    of member: MemberKey, from start: Instant, to end: Instant, excluding excluded: TimeEntryID?
  ) async throws -> TimeEntryOverlaps {
    let overlapping = EditingRows.overlapping
    let span = MemberSpan(
      organization: member.organization, user: member.user, start: start, end: end, excluded: excluded)
    return try TimeEntryOverlaps(
      try await read(overlapping.statement, overlapping.values(span), in: .organization(member.organization)))
  }
}

extension TimeEntryOverlaps {
  /// Entries, each with the count of all behind it.
  init(_ rows: PostgreSQLRows) throws {
    self.init(
      entries: try rows.map(TimeEntryRows.entry),
      count: Int(rows.first { $0.integer(TimeEntryRows.columnCount) } ?? 0))
  }
}

extension PostgreSQLTransaction {
  /// Changes an entry, and writes that down.
  func update(
    _ update: TimeEntryUpdate, _ change: (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry {
    let (before, user) = try await requireEntry(update)
    guard let entry = try before.changed(at: update.context.time, by: change) else { return before }
    try await requireOpen([(.timeEntry(before), .timeEntry(entry))], in: update.organization, update.context)
    let session = try await session(of: entry, before: before, user, update)
    try await requireFreeSpan(of: entry, user, update)
    if entry.clockInTime != before.clockInTime || entry.clockOutTime != before.clockOutTime {
      try await PostgreSQLRecords(transaction: self).haveSegmentsFollow(
        before, to: entry, in: update.organization, update.context)
    }
    let written = try await run(
      EditingRows.update, of: (update.organization, entry, session)
    ).writtenCount
    try MissedRows.requireNone(of: "time_entries", meant: 1, written: written)
    try await log(
      from: .timeEntry(before), to: .timeEntry(entry), in: update.organization, update.context)
    return entry
  }

  /// Deletes an entry unless `check` throws, and writes that down.
  func delete(
    _ update: TimeEntryUpdate, _ check: (TimeEntry) throws -> Void
  ) async throws -> TimeEntry {
    let (entry, _) = try await requireEntry(update)
    try check(entry)
    try await requireOpen([(.timeEntry(entry), nil)], in: update.organization, update.context)
    try await PostgreSQLRecords(transaction: self).haveSegmentsFollow(
      entry, to: nil, in: update.organization, update.context)
    try await delete(entry, in: update.organization)
    try await log(from: .timeEntry(entry), to: nil, in: update.organization, update.context)
    return entry
  }

  /// Removes an entry. Nobody else may be able to write entries of the member until the transaction ends.
  func delete(_ entry: TimeEntry, in organization: OrganizationKey) async throws {
    let written = try await run(
      EditingRows.delete, [.integer(organization.value), .identifier(entry.id)]
    ).writtenCount
    try MissedRows.requireNone(of: "time_entries", meant: 1, written: written)
  }

  /// The entry to change and the row of its user. Nobody else writes entries of the member until the transaction
  /// ends. Throws `.notFound(.timeEntry)` and `.changed`.
  fileprivate func requireEntry(_ update: TimeEntryUpdate) async throws -> (entry: TimeEntry, user: Int64) {
    let key: [PostgreSQLValue] = [.integer(update.organization.value), .identifier(update.id)]
    let user = try await run(EditingRows.lockMember, key).first { $0.integer(0) }
    let entry = try await run(TimeEntryRows.byID, key).first { try TimeEntryRows.entry($0) }
    guard let user, let entry else { throw TimeclockError.notFound(.timeEntry) }
    try entry.requireVersion(update.expectedVersion)
    return (entry, user)
  }

  /// The row of the entry's session. Throws `.sessionNotFound` and `.sessionNotAssigned`.
  fileprivate func session(
    of entry: TimeEntry, before: TimeEntry, _ user: Int64, _ update: TimeEntryUpdate
  ) async throws -> Int64? {
    guard let id = entry.sessionID else { return nil }
    let session = try await run(
      EditingRows.session, [.integer(update.organization.value), .identifier(id), .integer(user)]
    ).first { (row: $0.integer(0), isAssigned: $0.bool(1)) }
    guard let session else { throw TimeclockError.sessionNotFound }
    guard session.isAssigned || !update.needsSessionAssignment || id == before.sessionID else {
      throw TimeclockError.sessionNotAssigned
    }
    return session.row
  }

  /// Throws `.overlap`. The member's entries are locked, so that a free span stays free.
  fileprivate func requireFreeSpan(of entry: TimeEntry, _ user: Int64, _ update: TimeEntryUpdate) async throws
  {
    let span = MemberSpan(
      organization: update.organization, user: UserKey(user), start: entry.clockInTime,
      end: entry.clockOutTime, excluded: entry.id)
    let overlaps = try TimeEntryOverlaps(try await run(EditingRows.overlapping, of: span))
    guard overlaps.count == 0 else { throw TimeclockError.overlap(overlaps.entries, count: overlaps.count) }
  }
}

/// The statements that change entries.
private enum EditingRows {
  static let lockMember = PostgreSQLStatement(
    """
    SELECT m.user_id FROM members m WHERE m.organization_id = $1 AND m.user_id = \
    (SELECT e.user_id FROM time_entries e WHERE e.organization_id = $1 AND e.id = $2) FOR NO KEY UPDATE
    """)

  static let session = PostgreSQLStatement(
    """
    SELECT s.session_id, EXISTS (SELECT 1 FROM session_assignees a WHERE a.organization_id = s.organization_id \
    AND a.session_id = s.session_id AND a.user_id = $3) \
    FROM sessions s WHERE s.organization_id = $1 AND s.id = $2 FOR KEY SHARE OF s
    """)

  /// The first of a member's entries that share a moment with a span, and how many do, one entry left out.
  static let overlapping = TimeEntryRows.overlapping(
    where: "e.id IS DISTINCT FROM $excluded", ["excluded": { .optional($0.excluded) }])

  static let update = NamedStatement<(organization: OrganizationKey, entry: TimeEntry, session: Int64?)>(
    [
      "organization": { .integer($0.organization.value) },
      "id": { .identifier($0.entry.id) },
      "date": { .date($0.entry.date) },
      "clockIn": { .instant($0.entry.clockInTime) },
      "clockOut": { .optional($0.entry.clockOutTime) },
      "timeZone": { .text($0.entry.timeZone.name) },
      "offsetSeconds": { .integer(Int64($0.entry.offsetSeconds)) },
      "session": { .optional($0.session) },
      "notes": { .optional($0.entry.notes?.text) },
      "flags": { .integer($0.entry.flags.rawValue) },
      "version": { .integer($0.entry.version) },
      "updatedAt": { .instant($0.entry.updatedAt) },
    ],
    text: """
      UPDATE time_entries SET date = $date, clock_in = $clockIn, clock_out = $clockOut, time_zone = $timeZone, \
      offset_seconds = $offsetSeconds, session_id = $session, notes = $notes, flags = $flags, version = $version, \
      updated_at = $updatedAt WHERE organization_id = $organization AND id = $id
      """)

  static let delete = PostgreSQLStatement("DELETE FROM time_entries WHERE organization_id = $1 AND id = $2")
}
