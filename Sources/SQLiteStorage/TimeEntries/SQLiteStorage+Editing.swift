import Procedures
import TimeclockDomain

extension SQLiteStorage {
  package func updateTimeEntry(
    _ update: TimeEntryUpdate, _ change: @escaping @Sendable (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry {
    try await writer.write(.short(update.organization)) { [identifiers] transaction in
      try TimeEntryWork(transaction: transaction, identifiers: identifiers).update(update, change)
    }
  }

  package func deleteTimeEntry(
    _ update: TimeEntryUpdate, _ check: @escaping @Sendable (TimeEntry) throws -> Void
  ) async throws {
    try await writer.write(.short(update.organization)) { [identifiers] transaction in
      _ = try TimeEntryWork(transaction: transaction, identifiers: identifiers).delete(update, check)
    }
  }

  package func overlaps(
    of member: MemberKey, from start: Instant, to end: Instant, excluding excluded: TimeEntryID?
  ) async throws -> TimeEntryOverlaps {
    try read { connection in
      try TimeEntryRows(connection: connection, identifiers: identifiers)
        .overlaps(of: member, from: start, to: end, excluding: excluded)
    }
  }
}

extension TimeEntryWork {
  /// Changes an entry, and writes that down.
  func update(
    _ update: TimeEntryUpdate, _ change: (inout TimeEntry) throws -> Void
  ) throws -> TimeEntry {
    let (before, number, member) = try require(update)
    guard let entry = try before.changed(at: update.context.time, by: change) else { return before }
    try transaction.requireOpen(
      from: .timeEntry(before), to: .timeEntry(entry), in: update.organization, update.context)
    let session = try entry.sessionID.map { session in
      try self.session(
        session, for: member, needsAssignment: update.needsSessionAssignment && session != before.sessionID)
    }
    if entry.clockInTime != before.clockInTime || entry.clockOutTime != before.clockOutTime {
      try haveSegmentsFollow(before, to: entry, in: update.organization, update.context)
    }
    try self.update(entry, from: before, number: number, session: session, of: member)
    try transaction.log(
      from: .timeEntry(before), to: .timeEntry(entry), in: update.organization, update.context)
    return entry
  }

  /// Deletes an entry unless `check` throws, and writes that down.
  func delete(_ update: TimeEntryUpdate, _ check: (TimeEntry) throws -> Void) throws -> TimeEntry {
    let (entry, number, member) = try require(update)
    try check(entry)
    try transaction.requireOpen(from: .timeEntry(entry), to: nil, in: update.organization, update.context)
    try haveSegmentsFollow(entry, to: nil, in: update.organization, update.context)
    try delete(entry, number: number, of: member)
    try transaction.log(from: .timeEntry(entry), to: nil, in: update.organization, update.context)
    return entry
  }

  /// The entry to change. Throws `.notFound(.timeEntry)` and `.changed`.
  fileprivate func require(
    _ update: TimeEntryUpdate
  ) throws -> (entry: TimeEntry, number: Int64, member: MemberKey) {
    guard let stored = try rows.stored(update.id, in: update.organization) else {
      throw TimeclockError.notFound(.timeEntry)
    }
    try stored.entry.requireVersion(update.expectedVersion)
    return stored
  }
}
