import TimeclockDomain

/// What writes of sessions are made of, inside their transaction.
///
/// Members are locked before the session, as whoever clocks in does it, so that two transactions do not wait for
/// each other.
struct SessionWork {
  let transaction: PostgreSQLTransaction
  let key: OrganizationKey

  init(transaction: PostgreSQLTransaction, organization: OrganizationKey) {
    self.transaction = transaction
    key = organization
  }

  private var organization: PostgreSQLValue { .integer(key.value) }

  /// The members who are to be assigned, those of the ids that are any. None is deactivated until the transaction
  /// ends.
  func lockUsers(_ ids: [UserID]) async throws -> SessionMembers {
    guard !ids.isEmpty else { return SessionMembers(found: [:]) }
    let list = "{" + ids.map(\.text).joined(separator: ",") + "}"
    let found = try await transaction.run(Self.lockMembers, [organization, .text(list)])
      .map { (try $0.identifier(0) as UserID, (user: $0.integer(1), isActive: $0.bool(2))) }
    return SessionMembers(found: Dictionary(found) { $1 })
  }

  /// Has nobody else write entries of the members who have entries of the session.
  func lockUsersOfEntries(of id: SessionID) async throws {
    try await transaction.run(Self.lockOwners, [organization, .identifier(id)])
  }

  /// Locks the session, if there is one.
  func lock(_ id: SessionID, _ statement: PostgreSQLStatement) async throws {
    try await transaction.run(statement, [organization, .identifier(id)])
  }

  /// The session and its row.
  ///
  /// - Parameter version: The version that is meant; nil means any.
  /// - Throws: `.notFound(.session)`, `.changed`.
  func require(
    _ id: SessionID, version: Int64? = nil
  ) async throws -> (details: SessionDetails, row: Int64) {
    let rows = try await transaction.run(SessionRows.byID, [organization, .identifier(id)])
    guard let stored = try SessionRows.sessions(rows).first else { throw TimeclockError.notFound(.session) }
    try stored.details.requireVersion(version)
    return stored
  }

  func insert(_ session: Session, assignees: [Int64]) async throws {
    let row = try await transaction.run(
      Self.insert,
      [
        organization, .identifier(session.id), .date(session.date), .text(session.title),
        .optional(session.startTime), .optional(session.endTime), .optional(session.location),
        .integer(session.version), .instant(session.createdAt), .instant(session.updatedAt),
      ]
    ).first { $0.integer(0) }
    guard let row else { throw MalformedRow(column: "session_id") }
    try await assign(assignees, toRow: row)
  }

  func write(_ session: Session, row: Int64) async throws {
    try await transaction.run(
      Self.update,
      [
        organization, .integer(row), .date(session.date), .text(session.title), .optional(session.startTime),
        .optional(session.endTime), .optional(session.location), .integer(session.version),
        .instant(session.updatedAt),
      ])
  }

  func replaceAssignees(ofRow row: Int64, with users: [Int64]) async throws {
    try await transaction.run(Self.unassign, [organization, .integer(row)])
    try await assign(users, toRow: row)
  }

  private func assign(_ users: [Int64], toRow row: Int64) async throws {
    try await transaction.run(Self.assign, each: users.map { [organization, .integer(row), .integer($0)] })
  }

  /// Throws `.sessionInUse` while entries refer to the session.
  func requireUnused(_ row: Int64) async throws {
    let count = try await transaction.run(Self.countEntries, [organization, .integer(row)])
      .first { $0.integer(0) }
    guard let count, count > 0 else { return }
    throw TimeclockError.sessionInUse(count: Int(count))
  }

  /// Takes the session off its entries, and logs each.
  func detachEntries(fromRow row: Int64, _ context: ChangeContext) async throws {
    let attached = try await transaction.run(Self.entries, [organization, .integer(row)])
      .map { try TimeEntryRows.entry($0) }
    guard !attached.isEmpty else { return }
    try await transaction.run(Self.detach, [organization, .integer(row), .instant(context.time)])
    try await transaction.log(
      each: attached.map { (.timeEntry($0), .timeEntry($0.detached(at: context.time))) }, in: key, context)
  }

  /// Deletes the session; its assignments go with it.
  func delete(_ row: Int64) async throws {
    try await transaction.run(Self.delete, [organization, .integer(row)])
  }
}

/// Members who may be assigned to a session, by their ids.
struct SessionMembers {
  let found: [UserID: (user: Int64, isActive: Bool)]

  /// The rows of the users with these ids.
  ///
  /// - Parameter assigned: Who is assigned already, and may stay though deactivated.
  /// - Throws: `.notFound(.member)`, `.memberDeactivated`.
  func required(_ ids: [UserID], assigned: [UserID]) throws -> [Int64] {
    let assigned = Set(assigned)
    return try ids.map { id in
      guard let member = found[id] else { throw TimeclockError.notFound(.member) }
      guard member.isActive || assigned.contains(id) else { throw TimeclockError.memberDeactivated }
      return member.user
    }
  }
}

/// The statements that change sessions.
extension SessionWork {
  private static let lockMembers = PostgreSQLStatement(
    """
    SELECT u.id, m.user_id, m.active FROM users u JOIN members m ON m.organization_id = $1 AND m.user_id = u.user_id \
    WHERE u.id = ANY ($2::text::uuid[]) ORDER BY m.user_id FOR SHARE OF m
    """)

  private static let lockOwners = PostgreSQLStatement(
    """
    SELECT m.user_id FROM members m WHERE m.organization_id = $1 AND m.user_id IN ( \
    SELECT e.user_id FROM sessions s JOIN time_entries e \
    ON e.organization_id = s.organization_id AND e.session_id = s.session_id \
    WHERE s.organization_id = $1 AND s.id = $2) ORDER BY m.user_id FOR NO KEY UPDATE OF m
    """)

  /// Nobody else changes or deletes the session until the transaction ends.
  static let lockForChange = PostgreSQLStatement(
    "SELECT session_id FROM sessions WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE")
  /// Nor does any entry begin to refer to it.
  static let lockForDeletion = PostgreSQLStatement(
    "SELECT session_id FROM sessions WHERE organization_id = $1 AND id = $2 FOR UPDATE")

  private static let insert = PostgreSQLStatement(
    """
    INSERT INTO sessions (organization_id, id, date, title, start_time, end_time, location, version, created_at, \
    updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING session_id
    """)

  private static let update = PostgreSQLStatement(
    """
    UPDATE sessions SET date = $3, title = $4, start_time = $5, end_time = $6, location = $7, version = $8, \
    updated_at = $9 WHERE organization_id = $1 AND session_id = $2
    """)

  private static let unassign = PostgreSQLStatement(
    "DELETE FROM session_assignees WHERE organization_id = $1 AND session_id = $2")
  private static let assign = PostgreSQLStatement(
    "INSERT INTO session_assignees (organization_id, session_id, user_id) VALUES ($1, $2, $3)")

  private static let countEntries = PostgreSQLStatement(
    "SELECT count(*) FROM time_entries WHERE organization_id = $1 AND session_id = $2")

  private static let entries = PostgreSQLStatement(
    """
    SELECT \(TimeEntryRows.columns) FROM time_entries e WHERE e.organization_id = $1 AND e.session_id = $2 \
    ORDER BY e.date, e.created_at, e.entry_number
    """)

  private static let detach = PostgreSQLStatement(
    """
    UPDATE time_entries SET session_id = NULL, version = version + 1, updated_at = $3 \
    WHERE organization_id = $1 AND session_id = $2
    """)

  private static let delete = PostgreSQLStatement(
    "DELETE FROM sessions WHERE organization_id = $1 AND session_id = $2")
}
