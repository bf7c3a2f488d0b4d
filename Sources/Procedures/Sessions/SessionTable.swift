import TimeclockDomain

extension Session {
  package static let table = RecordTable<Session>(
    "sessions", key: .numbered("session_id"),
    fields: [
      .fixed("id", .identifier) { .identifier($0.id) },
      .field("date", .integer) { .date($0.date) },
      .field("title", .text) { .text($0.title) },
      .field("start_time", .integer) { .optional($0.startTime) },
      .field("end_time", .integer) { .optional($0.endTime) },
      .field("location", .text) { .optional($0.location) },
      .field("version", .integer) { .integer($0.version) },
      .fixed("created_at", .integer) { .instant($0.createdAt) },
      .field("updated_at", .integer) { .instant($0.updatedAt) },
    ])
}

extension Session: VersionedRecord {}

/// A session as statements give it: one row for each assignee, or one if there is none. So the session and its
/// assignees are of one moment.
package struct StoredSession: Sendable {
  package var details: SessionDetails
  /// Its number, which decides among sessions of one date.
  package let row: Int64

  /// The columns, of the tables `s`, `m` and `u`.
  private static let columns = RecordColumns(
    [
      ("session_id", "s.session_id"),
      (
        "organization",
        "(SELECT o.id FROM organizations o WHERE o.organization_id = s.organization_id)"
      ),
    ] + Session.table.columns(of: "s") + [("assignee", "u.id"), ("assignee_name", "m.name")])

  /// The tables of the assignees, behind `sessions s`.
  private static let assignees = """
    LEFT JOIN session_assignees a ON a.organization_id = s.organization_id AND a.session_id = s.session_id \
    LEFT JOIN members m ON m.organization_id = a.organization_id AND m.user_id = a.user_id \
    LEFT JOIN users u ON u.user_id = m.user_id
    """

  package init<Row>(_ row: inout RecordRow<Row>) throws {
    self.row = row.integer("session_id")
    var session = Session(
      id: try row.identifier("id"), organizationID: try row.identifier("organization"),
      date: row.date("date"), title: row.text("title"), startTime: row.optionalInstant("start_time"),
      endTime: row.optionalInstant("end_time"), location: row.optionalText("location"), assigneeIDs: [],
      version: row.integer("version"), createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
    var assignees: [SessionAssignee] = []
    if let user: UserID = try row.optionalIdentifier("assignee") {
      session.assigneeIDs = [user]
      assignees = [SessionAssignee(userID: user, name: row.text("assignee_name"))]
    }
    details = SessionDetails(session, assignees: assignees)
  }

  /// The sessions that rows of the same session in a run make, in their order.
  package static func joined(_ rows: [StoredSession]) -> [StoredSession] {
    var joined: [StoredSession] = []
    var rest = rows[...]
    while let first = rest.first {
      let run = rest.prefix { $0.row == first.row }
      rest = rest.dropFirst(run.count)
      var stored = first
      if run.count > 1 {
        var session = first.details.session
        let assignees = run.flatMap(\.details.assignees)
        session.assigneeIDs = assignees.map(\.userID)
        stored.details = SessionDetails(session, assignees: assignees)
      }
      joined.append(stored)
    }
    return joined
  }

  /// The sessions that a selection of `sessions` gives, in the order of lists.
  package static func page(of selection: String) -> String {
    "SELECT \(columns.list) FROM (\(selection)) s \(assignees) ORDER BY s.date, s.session_id"
  }

  /// A page out of the rows of one session more than it may have.
  package static func page(of rows: [StoredSession], limit: Int) -> Page<SessionDetails, SessionCursor> {
    let found = joined(rows)
    let shown = found.prefix(PageSize.clamped(limit))
    let last = shown.last.map { SessionCursor(date: $0.details.session.date, row: $0.row) }
    return Page(elements: shown.map(\.details), next: found.count > shown.count ? last : nil)
  }

  /// The names of the columns that `page` gives.
  package static var names: [String] { columns.names }

  static let byID = RecordStatement(
    "FROM sessions s \(assignees) WHERE s.organization_id = $1 AND s.id = $2", columns: columns)
  /// Nobody else changes or deletes the session.
  static let lockForChange = RecordStatement(
    "FROM sessions WHERE organization_id = $1 AND id = $2", columns: RecordColumns("session_id"),
    lock: "FOR NO KEY UPDATE")
  /// Nor does any entry begin to refer to it.
  static let lockForDeletion = RecordStatement(
    "FROM sessions WHERE organization_id = $1 AND id = $2", columns: RecordColumns("session_id"),
    lock: "FOR UPDATE")
  /// Nobody else writes entries of the members who have entries of the session.
  static let lockOwners = RecordStatement(
    """
    FROM members m WHERE m.organization_id = $1 AND m.user_id IN ( \
    SELECT e.user_id FROM sessions s JOIN time_entries e \
    ON e.organization_id = s.organization_id AND e.session_id = s.session_id \
    WHERE s.organization_id = $1 AND s.id = $2) ORDER BY m.user_id
    """, columns: RecordColumns("m.user_id"), lock: "FOR NO KEY UPDATE OF m")
  static let assign = RecordStatement(
    "INSERT INTO session_assignees (organization_id, session_id, user_id) VALUES ($1, $2, $3)")
  static let unassign = RecordStatement(
    "DELETE FROM session_assignees WHERE organization_id = $1 AND session_id = $2")
  static let countEntries = RecordStatement(
    "FROM time_entries WHERE organization_id = $1 AND session_id = $2",
    columns: RecordColumns([("count", "count(*)")]),
    sqlite:
      "FROM time_entries INDEXED BY time_entries_of_session WHERE organization_id = $1 AND session_id = $2")
  static let detach = RecordStatement(
    detachment(of: "time_entries"), sqlite: detachment(of: "time_entries INDEXED BY time_entries_of_session"))

  private static func detachment(of table: String) -> String {
    """
    UPDATE \(table) SET session_id = NULL, version = version + 1, updated_at = $3 \
    WHERE organization_id = $1 AND session_id = $2
    """
  }
}
