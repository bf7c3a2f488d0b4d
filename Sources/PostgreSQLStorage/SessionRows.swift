import TimeclockDomain

/// The statements that read sessions, and how their rows are read: one for each assignee, or one for a session that
/// has none. So a session and its assignees are of one moment.
enum SessionRows {
  /// The columns in the order in which they are read, of the tables `s`, `m` and `u`.
  private static let columns = """
    s.session_id, s.id, (SELECT o.id FROM organizations o WHERE o.organization_id = s.organization_id), s.date, \
    s.title, s.start_time, s.end_time, s.location, s.version, s.created_at, s.updated_at, u.id, m.name
    """

  private static let assignees = """
    LEFT JOIN session_assignees a ON a.organization_id = s.organization_id AND a.session_id = s.session_id \
    LEFT JOIN members m ON m.organization_id = a.organization_id AND m.user_id = a.user_id \
    LEFT JOIN users u ON u.user_id = m.user_id
    """

  static let byID = PostgreSQLStatement(
    "SELECT \(columns) FROM sessions s \(assignees) WHERE s.organization_id = $1 AND s.id = $2")

  /// The sessions that a selection gives, in the order of lists.
  static func page(of selection: String) -> String {
    "SELECT \(columns) FROM (\(selection)) s \(assignees) ORDER BY s.date, s.session_id"
  }

  /// The sessions in the rows, in their order.
  static func sessions(_ rows: PostgreSQLRows) throws -> [(details: SessionDetails, row: Int64)] {
    var found: [(session: Session, row: Int64, assignees: [SessionAssignee])] = []
    for (row, assignee, session) in try rows.map({ ($0.integer(0), try assignee($0), try session($0)) }) {
      if found.last?.row != row { found.append((session, row, [])) }
      if let assignee { found[found.count - 1].assignees.append(assignee) }
    }
    return found.map { session, row, assignees in
      var session = session
      session.assigneeIDs = assignees.map(\.userID)
      return (SessionDetails(session, assignees: assignees), row)
    }
  }

  private static func assignee(_ row: PostgreSQLRow) throws -> SessionAssignee? {
    try row.optionalIdentifier(11).map { SessionAssignee(userID: $0, name: row.text(12)) }
  }

  private static func session(_ row: PostgreSQLRow) throws -> Session {
    Session(
      id: try row.identifier(1), organizationID: try row.identifier(2), date: row.date(3), title: row.text(4),
      startTime: row.optionalInstant(5), endTime: row.optionalInstant(6), location: row.optionalText(7),
      assigneeIDs: [], version: row.integer(8), createdAt: row.instant(9), updatedAt: row.instant(10))
  }
}
