import Procedures
import TimeclockDomain

/// The statement for a list of sessions. It asks for one session more than the page has, to see whether there is a next
/// page.
struct SessionSelection {
  private(set) var sql = "SELECT s.* FROM sessions s"
  private(set) var values: [PostgreSQLValue] = []

  /// Puts the statement together out of fixed parts; values go in as parameters only.
  init(_ query: SessionQuery) {
    if let assignee = query.assignee {
      add(
        """
         JOIN session_assignees w ON w.organization_id = s.organization_id AND w.session_id = s.session_id \
        AND w.user_id =
        """, .integer(assignee.value))
    }
    add(" WHERE s.organization_id = ", .integer(query.organization.value))
    if let group = query.group {
      values.append(.integer(group.value))
      let isMember = MemberSelection.Way.group.condition(
        on: "a.user_id", organization: "$\(values.count - 1)::bigint", row: "$\(values.count)::bigint")
      sql += """
         AND EXISTS (SELECT 1 FROM session_assignees a WHERE a.organization_id = s.organization_id \
        AND a.session_id = s.session_id\(isMember))
        """
    }
    if let from = query.from { add(" AND s.date >= ", .date(from)) }
    if let through = query.through { add(" AND s.date <= ", .date(through)) }
    if let cursor = query.cursor {
      add(" AND (s.date, s.session_id) > (", .date(cursor.date))
      add(", ", .integer(cursor.row))
      sql += ")"
    }
    add(" ORDER BY s.date, s.session_id LIMIT ", PageLimit.rows(query.limit))
    sql = StoredSession.page(of: sql)
  }

  private mutating func add(_ part: StaticString, _ value: PostgreSQLValue) {
    values.append(value)
    sql += "\(part)$\(values.count)::bigint"
  }
}
