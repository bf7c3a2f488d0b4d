import TimeclockDomain

/// What writes of time entries are made of, inside their transaction. One writer and an immediate
/// transaction make every check here as good as a constraint; the schema's own stand behind them.
struct TimeEntryWork {
  let transaction: SQLiteTransaction
  let identifiers: PublicIdentifiers

  private var rows: TimeEntryRows {
    TimeEntryRows(connection: transaction.connection, identifiers: identifiers)
  }

  /// Throws `.memberDeactivated` where the membership has ended.
  func requireActiveMember(_ member: MemberKey) throws {
    let isActive = try transaction.statement(
      "SELECT active FROM members WHERE organization_id = ?1 AND user_id = ?2"
    ).first([.integer(member.organization.value), .integer(member.user.value)]) { $0.bool(0) }
    guard isActive == true else { throw TimeclockError.memberDeactivated }
  }

  /// The session's row. Throws `.sessionNotFound` and `.sessionNotAssigned`.
  func session(_ id: SessionID, for new: NewTimeEntry) throws -> Int64 {
    let session = try transaction.statement(
      """
      SELECT s.session_id, EXISTS (SELECT 1 FROM session_assignees a
        WHERE a.session_id = s.session_id AND a.user_id = ?3)
      FROM sessions s WHERE s.organization_id = ?1 AND s.id = ?2
      """
    ).first([
      .integer(new.member.organization.value), .identifier(id), .integer(new.member.user.value),
    ]) { (row: $0.integer(0), isAssigned: $0.bool(1)) }
    guard let session else { throw TimeclockError.sessionNotFound }
    guard session.isAssigned || !new.needsSessionAssignment else { throw TimeclockError.sessionNotAssigned }
    return session.row
  }

  func activeEntry(of member: MemberKey) throws -> (entry: TimeEntry, number: Int64)? {
    try rows.active(of: member)
  }

  /// Throws `.overlap` with the entries in the way of a new one.
  ///
  /// Entries of a member do not overlap, so those that reach into a span are neighbours: walking back from
  /// the span's end, the first one that ends before its start ends the search.
  func requireFreeSpan(of new: NewTimeEntry) throws {
    let end = new.entry.clockOutTime?.millisecondsSince1970 ?? .max
    let latest = try entry(of: new.member, beginningBefore: end)
    guard let latest, latest.reaches(beyond: new.entry.clockInTime) else { return }
    var inTheWay: [TimeEntry] = []
    var count = 0
    var next: TimeEntry? = latest
    while let entry = next, entry.reaches(beyond: new.entry.clockInTime) {
      count += 1
      inTheWay.append(entry)
      next = try self.entry(of: new.member, beginningBefore: entry.clockInTime.millisecondsSince1970)
    }
    let oldestFirst = inTheWay.reversed().prefix(TimeEntryStorageLimits.overlapsShown)
    throw TimeclockError.overlap(Array(oldestFirst), count: count)
  }

  func insert(_ new: NewTimeEntry, session: Int64?) throws {
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

  /// Writes what closing an entry changed.
  func close(_ entry: TimeEntry, number: Int64, of member: MemberKey) throws {
    try transaction.statement(
      """
      UPDATE time_entries SET clock_out = ?6, notes = ?7, flags = ?8, version = ?9, updated_at = ?10 \
      WHERE organization_id = ?1 AND user_id = ?2 AND date = ?3 AND created_at = ?4 AND entry_number = ?5
      """
    ).run([
      .integer(member.organization.value), .integer(member.user.value), .date(entry.date),
      .instant(entry.createdAt), .integer(number), .optional(entry.clockOutTime?.millisecondsSince1970),
      .optional(entry.notes?.text), .integer(entry.flags.rawValue), .integer(entry.version),
      .instant(entry.updatedAt),
    ])
  }

  private static let lastBeginningBefore = """
    SELECT \(TimeEntryRows.columns) FROM time_entries e INDEXED BY time_entries_by_start \
    WHERE e.organization_id = ?1 AND e.user_id = ?2 AND e.clock_in < ?3 ORDER BY e.clock_in DESC LIMIT 1
    """

  private func entry(of member: MemberKey, beginningBefore end: Int64) throws -> TimeEntry? {
    try transaction.connection.statement(built: Self.lastBeginningBefore).first(
      [.integer(member.organization.value), .integer(member.user.value), .integer(end)], rows.entry)
  }
}

extension TimeEntry {
  /// Whether the entry has not ended at this instant; an active one never has.
  fileprivate func reaches(beyond instant: Instant) -> Bool {
    clockOutTime.map { $0 > instant } ?? true
  }
}
