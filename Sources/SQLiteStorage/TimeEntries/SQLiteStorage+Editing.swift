import Procedures
import TimeclockDomain

extension SQLiteStorage {
  package func updateTimeEntry(
    _ update: TimeEntryUpdate, _ change: @escaping @Sendable (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry {
    try await writer.write(.short(update.organization)) { [identifiers] transaction in
      let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
      let (before, number, member) = try work.require(update)
      guard let entry = try before.changed(at: update.context.time, by: change) else { return before }
      try transaction.requireOpen(
        from: .timeEntry(before), to: .timeEntry(entry), in: update.organization, update.context)
      let session = try entry.sessionID.map { session in
        try work.session(
          session, for: member,
          needsAssignment: update.needsSessionAssignment && session != before.sessionID)
      }
      if entry.clockInTime != before.clockInTime || entry.clockOutTime != before.clockOutTime {
        try work.haveSegmentsFollow(before, to: entry, in: update.organization, update.context)
      }
      try work.update(entry, from: before, number: number, session: session, of: member)
      try transaction.log(
        from: .timeEntry(before), to: .timeEntry(entry), in: update.organization, update.context)
      return entry
    }
  }

  package func deleteTimeEntry(
    _ update: TimeEntryUpdate, _ check: @escaping @Sendable (TimeEntry) throws -> Void
  ) async throws {
    try await writer.write(.short(update.organization)) { [identifiers] transaction in
      let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
      let (entry, number, member) = try work.require(update)
      try check(entry)
      try transaction.requireOpen(
        from: .timeEntry(entry), to: nil, in: update.organization, update.context)
      try work.haveSegmentsFollow(entry, to: nil, in: update.organization, update.context)
      try work.delete(entry, number: number, of: member)
      try transaction.log(from: .timeEntry(entry), to: nil, in: update.organization, update.context)
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
