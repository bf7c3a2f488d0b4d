import TimeclockDomain

/// Reads sessions out of rows. The columns are those of `columns`, in that order.
struct SessionRows {
  private let connection: SQLiteConnection
  private let references: EntryReferences

  init(connection: SQLiteConnection, identifiers: PublicIdentifiers) {
    self.connection = connection
    references = EntryReferences(identifiers, on: connection)
  }

  /// The columns to select, from a table named `s`.
  static let columns = """
    s.session_id, s.organization_id, s.id, s.date, s.title, s.start_time, s.end_time, s.location, s.version, \
    s.created_at, s.updated_at
    """

  private static let byID = SQLiteText(
    "SELECT \(columns) FROM sessions s WHERE s.organization_id = ?1 AND s.id = ?2")

  private static let assignees = SQLiteText(
    """
    SELECT a.user_id, m.name FROM session_assignees a \
    CROSS JOIN members m ON m.organization_id = a.organization_id AND m.user_id = a.user_id \
    WHERE a.organization_id = ?1 AND a.session_id = ?2
    """)

  /// The session with this id, and its row.
  func stored(
    _ id: SessionID, in organization: OrganizationKey
  ) throws -> (details: SessionDetails, row: Int64)? {
    try connection.statement(Self.byID).first([.integer(organization.value), .identifier(id)]) {
      (try details($0), $0.integer(0))
    }
  }

  /// The session in the row, with its assignees, which are read while the row's statement keeps its snapshot.
  func details(_ row: SQLiteRow) throws -> SessionDetails {
    let assignees = try connection.statement(Self.assignees)
      .all([.integer(row.integer(1)), .integer(row.integer(0))]) {
        SessionAssignee(userID: try references.user($0.integer(0)), name: $0.text(1))
      }
    let session = Session(
      id: try row.identifier(2), organizationID: try references.organization(row.integer(1)),
      date: row.date(3),
      title: row.text(4), startTime: row.optionalInstant(5), endTime: row.optionalInstant(6),
      location: row.optionalText(7), assigneeIDs: assignees.map(\.userID), version: row.integer(8),
      createdAt: row.instant(9), updatedAt: row.instant(10))
    return SessionDetails(session, assignees: assignees)
  }

  /// The session's place in lists.
  func cursor(_ row: SQLiteRow) -> SessionCursor {
    SessionCursor(date: row.date(3), row: row.integer(0))
  }
}
