import Procedures
import TimeclockDomain

/// The statement for a list of sessions. It asks for one row more than the page has, to see whether there is a next
/// page.
struct SessionSelection {
  private(set) var sql = "SELECT s.*"
  private(set) var values: [SQLiteValue] = []

  /// The most days that are walked day by day for one member's sessions too: a request for today and tomorrow should
  /// not have all of the past looked through. A longer time has more of others' sessions than the member ever has.
  private static let walkedDays = 31

  /// Puts the statement together out of fixed parts; values go in as parameters only.
  init(_ query: SessionQuery) {
    if let assignee = query.assignee, !Self.walksDates(query) {
      add(
        """
         FROM session_assignees a INDEXED BY session_assignees_by_user \
        CROSS JOIN sessions s NOT INDEXED ON s.session_id = a.session_id WHERE a.organization_id = ?
        """, .integer(query.organization.value))
      add(" AND a.user_id = ?", .integer(assignee.value))
    } else {
      add(
        " FROM sessions s INDEXED BY sessions_by_date WHERE s.organization_id = ?",
        .integer(query.organization.value))
      if let assignee = query.assignee {
        add(
          """
           AND EXISTS (SELECT 1 FROM session_assignees a WHERE a.organization_id = s.organization_id \
          AND a.session_id = s.session_id AND a.user_id = ?)
          """, .integer(assignee.value))
      }
    }
    if let group = query.group {
      let isMember = MemberSelection.Way.group.condition(on: "a.user_id", organization: "?", row: "?")
      sql += """
         AND EXISTS (SELECT 1 FROM session_assignees a WHERE a.organization_id = s.organization_id \
        AND a.session_id = s.session_id\(isMember))
        """
      values += [.integer(query.organization.value), .integer(group.value)]
    }
    addBegin(query.from, query.cursor)
    if let through = query.through { add(" AND s.date <= ?", .date(through)) }
    sql += " ORDER BY s.date, s.session_id LIMIT ?"
    values.append(PageLimit.rows(query.limit))
  }

  private static func walksDates(_ query: SessionQuery) -> Bool {
    guard let from = query.from, let through = query.through else { return false }
    return through.daysSince1970 - from.daysSince1970 < walkedDays
  }

  /// Either the first date or the cursor, whichever comes last: given both, SQLite would walk from the first date to
  /// the cursor again for every page.
  private mutating func addBegin(_ first: LocalDate?, _ cursor: SessionCursor?) {
    if let first, cursor.map({ $0.date < first }) ?? true {
      add(" AND s.date >= ?", .date(first))
    } else if let cursor {
      add(" AND (s.date, s.session_id) > (?", .date(cursor.date))
      add(", ?)", .integer(cursor.row))
    }
  }

  private mutating func add(_ part: StaticString, _ value: SQLiteValue) {
    sql += part.description
    values.append(value)
  }
}
