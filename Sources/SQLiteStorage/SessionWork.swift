import TimeclockDomain

/// What writes of sessions are made of, inside their transaction.
struct SessionWork {
  private let transaction: SQLiteTransaction
  private let rows: SessionRows
  private let entries: TimeEntryRows
  private let key: OrganizationKey

  init(transaction: SQLiteTransaction, identifiers: PublicIdentifiers, organization: OrganizationKey) {
    self.transaction = transaction
    rows = SessionRows(connection: transaction.connection, identifiers: identifiers)
    entries = TimeEntryRows(connection: transaction.connection, identifiers: identifiers)
    key = organization
  }

  private var organization: SQLiteValue { .integer(key.value) }

  /// The session and its row.
  ///
  /// - Parameter version: The version that is meant; nil means any.
  /// - Throws: `.notFound(.session)`, `.changed`.
  func require(_ id: SessionID, version: Int64? = nil) throws -> (details: SessionDetails, row: Int64) {
    guard let stored = try rows.stored(id, in: key) else { throw TimeclockError.notFound(.session) }
    try stored.details.requireVersion(version)
    return stored
  }

  /// The rows of the users who are to be assigned.
  ///
  /// - Parameter assigned: Who is already, and may stay though deactivated.
  /// - Throws: `.notFound(.member)`, `.memberDeactivated`.
  func users(_ ids: [UserID], assigned: [UserID]) throws -> [Int64] {
    let assigned = Set(assigned)
    return try ids.map { id in
      let member = try transaction.statement(
        """
        SELECT m.user_id, m.active FROM users u
        CROSS JOIN members m ON m.organization_id = ?1 AND m.user_id = u.user_id WHERE u.id = ?2
        """
      ).first([organization, .identifier(id)]) { (user: $0.integer(0), isActive: $0.bool(1)) }
      guard let member else { throw TimeclockError.notFound(.member) }
      guard member.isActive || assigned.contains(id) else { throw TimeclockError.memberDeactivated }
      return member.user
    }
  }

  func insert(_ session: Session, assignees: [Int64]) throws {
    try transaction.statement(
      """
      INSERT INTO sessions (organization_id, id, date, title, start_time, end_time, location, version, created_at,
        updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """
    ).run([
      organization, .identifier(session.id), .date(session.date), .text(session.title),
      .optional(session.startTime?.millisecondsSince1970), .optional(session.endTime?.millisecondsSince1970),
      .optional(session.location), .integer(session.version), .instant(session.createdAt),
      .instant(session.updatedAt),
    ])
    try assign(assignees, toRow: transaction.connection.lastInsertedRow)
  }

  func write(_ session: Session, row: Int64) throws {
    try transaction.statement(
      """
      UPDATE sessions SET date = ?2, title = ?3, start_time = ?4, end_time = ?5, location = ?6, version = ?7,
        updated_at = ?8 WHERE session_id = ?1
      """
    ).run([
      .integer(row), .date(session.date), .text(session.title),
      .optional(session.startTime?.millisecondsSince1970), .optional(session.endTime?.millisecondsSince1970),
      .optional(session.location), .integer(session.version), .instant(session.updatedAt),
    ])
  }

  func replaceAssignees(ofRow row: Int64, with users: [Int64]) throws {
    try transaction.statement(
      "DELETE FROM session_assignees WHERE organization_id = ?1 AND session_id = ?2"
    ).run([organization, .integer(row)])
    try assign(users, toRow: row)
  }

  private func assign(_ users: [Int64], toRow row: Int64) throws {
    for user in users {
      try transaction.statement(
        "INSERT INTO session_assignees (organization_id, session_id, user_id) VALUES (?1, ?2, ?3)"
      ).run([organization, .integer(row), .integer(user)])
    }
  }

  /// Throws `.sessionInUse` while entries refer to the session.
  func requireUnused(_ row: Int64) throws {
    let count = try transaction.statement(
      """
      SELECT count(*) FROM time_entries INDEXED BY time_entries_of_session
      WHERE organization_id = ?1 AND session_id = ?2
      """
    ).first([organization, .integer(row)]) { $0.integer(0) }
    guard let count, count > 0 else { return }
    throw TimeclockError.sessionInUse(count: Int(count))
  }

  private static let entriesOfSession = SQLiteText(
    """
    SELECT \(TimeEntryRows.columns) FROM time_entries e INDEXED BY time_entries_of_session \
    WHERE e.organization_id = ?1 AND e.session_id = ?2 ORDER BY e.date, e.created_at, e.entry_number
    """)

  /// Takes the session off its entries, and logs each.
  func detachEntries(fromRow row: Int64, _ context: ChangeContext) throws {
    let attached = try transaction.connection.statement(Self.entriesOfSession)
      .all([organization, .integer(row)], entries.entry)
    guard !attached.isEmpty else { return }
    try transaction.statement(
      """
      UPDATE time_entries INDEXED BY time_entries_of_session
      SET session_id = NULL, version = version + 1, updated_at = ?3
      WHERE organization_id = ?1 AND session_id = ?2
      """
    ).run([organization, .integer(row), .instant(context.time)])
    for before in attached {
      try transaction.log(
        from: .timeEntry(before), to: .timeEntry(before.detached(at: context.time)), in: key, context)
    }
  }

  /// Deletes the session; its assignments go with it.
  func delete(_ row: Int64) throws {
    try transaction.statement("DELETE FROM sessions WHERE session_id = ?1").run([.integer(row)])
  }
}
