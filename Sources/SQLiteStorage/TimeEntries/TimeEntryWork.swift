import CSQLite
import Procedures
import TimeclockDomain

/// The steps of writes of time entries, inside their transaction.
///
/// Updates and deletions name the primary key's index (sqlite.org/fileformat2.html, section 2.6): the planner prefers the
/// shorter rows of `time_entries_by_date`, and because that is not unique, keeps the keys it finds in a table in memory.
struct TimeEntryWork {
  let transaction: SQLiteTransaction
  let rows: TimeEntryRows
  private let identifiers: PublicIdentifiers

  init(transaction: SQLiteTransaction, identifiers: PublicIdentifiers) {
    self.transaction = transaction
    self.identifiers = identifiers
    rows = TimeEntryRows(connection: transaction.connection, identifiers: identifiers)
  }

  /// Keeps a new entry, and writes it down.
  ///
  /// - Throws: The errors of `TimeEntryStorage.createTimeEntry`, before anything is written.
  func create(_ new: NewTimeEntry) throws -> TimeEntry {
    try requireActiveMember(new)
    let session = try new.entry.sessionID.map {
      try self.session($0, for: new.member, needsAssignment: new.needsSessionAssignment)
    }
    try transaction.requireOpen(
      from: nil, to: .timeEntry(new.entry), in: new.member.organization, new.context)
    try insert(new, session: session)
    try transaction.log(from: nil, to: .timeEntry(new.entry), in: new.member.organization, new.context)
    return new.entry
  }

  /// Throws `.memberDeactivated` if the membership has ended. Time that was worked before can still be imported, unless
  /// the member has been anonymized.
  private func requireActiveMember(_ new: NewTimeEntry) throws {
    let isActive = try transaction.statement(
      """
      SELECT active OR (?3 AND anonymized_at IS NULL) FROM members WHERE organization_id = ?1 AND user_id = ?2
      """
    ).first([
      .integer(new.member.organization.value), .integer(new.member.user.value),
      .bool(new.entry.source == .import),
    ]) { $0.bool(0) }
    guard isActive == true else { throw TimeclockError.memberDeactivated }
  }

  /// The session's row. Throws `.sessionNotFound` and `.sessionNotAssigned`.
  func session(_ id: SessionID, for member: MemberKey, needsAssignment: Bool) throws -> Int64 {
    let session = try transaction.statement(
      """
      SELECT s.session_id, EXISTS (SELECT 1 FROM session_assignees a WHERE
        a.organization_id = s.organization_id AND a.session_id = s.session_id AND a.user_id = ?3)
      FROM sessions s WHERE s.organization_id = ?1 AND s.id = ?2
      """
    ).first([
      .integer(member.organization.value), .identifier(id), .integer(member.user.value),
    ]) { (row: $0.integer(0), isAssigned: $0.bool(1)) }
    guard let session else { throw TimeclockError.sessionNotFound }
    guard session.isAssigned || !needsAssignment else { throw TimeclockError.sessionNotAssigned }
    return session.row
  }

  /// Inserts the entry, and lets the database decide whether it may stand: it is asked why only after it has
  /// refused, so that the usual clock-in looks nothing up twice.
  ///
  /// - Throws: `.alreadyClockedIn`, `.overlap`.
  func insert(_ new: NewTimeEntry, session: Int64?) throws {
    do {
      try insertRow(new, session: session)
    } catch let error as SQLiteError where error.isUniquenessOrTrigger {
      if new.entry.clockOutTime == nil, let active = try rows.active(of: new.member) {
        throw TimeclockError.alreadyClockedIn(active: active.entry)
      }
      try requireFreeSpan(of: new.member, new.entry)
      throw error
    }
  }

  /// Throws `.overlap` with the entries in the way of a new or changed one.
  func requireFreeSpan(of member: MemberKey, _ new: TimeEntry) throws {
    let overlaps = try rows.overlaps(
      of: member, from: new.clockInTime, to: new.clockOutTime, excluding: new.id)
    guard overlaps.count > 0 else { return }
    throw TimeclockError.overlap(overlaps.entries, count: overlaps.count)
  }

  private func insertRow(_ new: NewTimeEntry, session: Int64?) throws {
    let entry = new.entry
    try transaction.statement(
      """
      INSERT INTO time_entries (organization_id, user_id, date, created_at, entry_number, id, clock_in, \
      clock_out, time_zone, offset_seconds, session_id, notes, source, flags, version, updated_at) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
      """
    ).run([
      .integer(new.member.organization.value), .integer(new.member.user.value), .date(entry.date),
      .instant(entry.createdAt), .integer(transaction.numbers.next()), .identifier(entry.id),
      .instant(entry.clockInTime), .optional(entry.clockOutTime?.millisecondsSince1970),
      .text(entry.timeZone.name), .integer(Int64(entry.offsetSeconds)), .optional(session),
      .optional(entry.notes?.text), .text(entry.source.rawValue), .integer(entry.flags.rawValue),
      .integer(entry.version), .instant(entry.updatedAt),
    ])
  }

  /// Writes a changed entry, and lets the database decide whether it may stand.
  ///
  /// - Throws: `.overlap`.
  func update(_ entry: TimeEntry, from old: TimeEntry, number: Int64, session: Int64?, of member: MemberKey)
    throws
  {
    do {
      let written = try transaction.statement(
        """
        UPDATE time_entries INDEXED BY sqlite_autoindex_time_entries_1 SET date = ?6, clock_in = ?7, clock_out = ?8,
          time_zone = ?9, offset_seconds = ?10, session_id = ?11, notes = ?12, flags = ?13, version = ?14, updated_at = ?15
        WHERE organization_id = ?1 AND user_id = ?2 AND date = ?3 AND created_at = ?4 AND entry_number = ?5
        """
      ).run([
        .integer(member.organization.value), .integer(member.user.value), .date(old.date),
        .instant(old.createdAt),
        .integer(number), .date(entry.date), .instant(entry.clockInTime),
        .optional(entry.clockOutTime?.millisecondsSince1970), .text(entry.timeZone.name),
        .integer(Int64(entry.offsetSeconds)), .optional(session), .optional(entry.notes?.text),
        .integer(entry.flags.rawValue), .integer(entry.version), .instant(entry.updatedAt),
      ])
      try MissedRows.requireNone(of: "time_entries", meant: 1, written: written)
    } catch let error as SQLiteError where error.isUniquenessOrTrigger {
      try requireFreeSpan(of: member, entry)
      throw error
    }
  }

  /// Removes an entry.
  func delete(_ entry: TimeEntry, number: Int64, of member: MemberKey) throws {
    let written = try transaction.statement(
      """
      DELETE FROM time_entries INDEXED BY sqlite_autoindex_time_entries_1
      WHERE organization_id = ?1 AND user_id = ?2 AND date = ?3 AND created_at = ?4 AND entry_number = ?5
      """
    ).run([
      .integer(member.organization.value), .integer(member.user.value), .date(entry.date),
      .instant(entry.createdAt), .integer(number),
    ])
    try MissedRows.requireNone(of: "time_entries", meant: 1, written: written)
  }

  /// Has the segments of an entry follow it, before it is written.
  ///
  /// - Parameter after: The entry as it will be; nil if it is deleted.
  /// - Returns: The segments that have changed.
  @discardableResult
  func haveSegmentsFollow(
    _ entry: TimeEntry, to after: TimeEntry?, in organization: OrganizationKey, _ context: ChangeContext
  ) throws -> [ClockRow] {
    // Most entries have none, and this is asked in every clock-out.
    let hasSegments = try transaction.statement(
      """
      SELECT 1 FROM segments INDEXED BY segments_of_entry WHERE organization_id = ?1 AND time_entry_id = ?2 LIMIT 1
      """
    ).first([.integer(organization.value), .identifier(entry.id)]) { _ in true }
    guard hasSegments != nil else { return [] }
    return try transaction.records(identifiers) {
      try await $0.haveSegmentsFollow(entry, to: after, in: organization, context)
    }
  }

  /// Writes the changes of closing an entry.
  func close(_ entry: TimeEntry, number: Int64, of member: MemberKey) throws {
    let written = try transaction.statement(
      """
      UPDATE time_entries INDEXED BY sqlite_autoindex_time_entries_1 \
      SET clock_out = ?6, notes = ?7, flags = ?8, version = ?9, updated_at = ?10, source = ?11 \
      WHERE organization_id = ?1 AND user_id = ?2 AND date = ?3 AND created_at = ?4 AND entry_number = ?5
      """
    ).run([
      .integer(member.organization.value), .integer(member.user.value), .date(entry.date),
      .instant(entry.createdAt), .integer(number), .optional(entry.clockOutTime?.millisecondsSince1970),
      .optional(entry.notes?.text), .integer(entry.flags.rawValue), .integer(entry.version),
      .instant(entry.updatedAt), .text(entry.source.rawValue),
    ])
    try MissedRows.requireNone(of: "time_entries", meant: 1, written: written)
  }
}

extension SQLiteError {
  /// Whether a unique index or a trigger refused a row: SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_TRIGGER
  /// (sqlite.org/rescode.html), which are macros that Swift does not see.
  fileprivate var isUniquenessOrTrigger: Bool {
    code == SQLITE_CONSTRAINT | 8 << 8 || code == SQLITE_CONSTRAINT | 7 << 8
  }
}
