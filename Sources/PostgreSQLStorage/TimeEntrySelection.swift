import Synchronization
import TimeclockDomain

/// The statement for a list of time entries. It asks for one row more than the page has, which tells whether
/// there is a next page.
struct TimeEntrySelection {
  private(set) var sql: String
  private(set) var values: [PostgreSQLValue] = []

  /// Puts the statement together out of fixed parts; values go in as parameters only.
  ///
  /// - Parameter session: The row of the query's session.
  init(_ query: TimeEntryQuery, session: Int64?) {
    sql = "SELECT \(TimeEntryRows.columns) FROM time_entries e"
    add(" WHERE e.organization_id = ", .integer(query.organization.value))
    if let user = query.user { add(" AND e.user_id = ", .integer(user.value)) }
    switch query.status {
    case .clockedIn: sql += " AND e.clock_out IS NULL"
    case .clockedOut: sql += " AND e.clock_out IS NOT NULL"
    case nil: break
    }
    if let session { add(" AND e.session_id = ", .integer(session)) }
    switch query.range {
    case .dates(let from, let through):
      if let from { add(" AND e.date >= ", .date(from)) }
      if let through { add(" AND e.date <= ", .date(through)) }
    case .overlapping(let start, let end):
      if let start, let end, start >= end {
        // No range at all for PostgreSQL, which is asked the question in its longer form.
        add(" AND coalesce(e.clock_out, 9223372036854775807) > ", .instant(start))
        add(" AND e.clock_in < ", .instant(end))
      } else if start != nil || end != nil {
        add(" AND int8range(e.clock_in, e.clock_out) && int8range(", .optional(start))
        add(", ", .optional(end))
        sql += ")"
      }
    }
    if let cursor = query.cursor {
      add(" AND (e.date, e.created_at, e.entry_number) < (", .date(cursor.date))
      add(", ", .instant(cursor.createdAt))
      add(", ", .integer(cursor.row))
      sql += ")"
    }
    add(" ORDER BY e.date DESC, e.created_at DESC, e.entry_number DESC LIMIT ", PageLimit.rows(query.limit))
  }

  private mutating func add(_ part: StaticString, _ value: PostgreSQLValue) {
    values.append(value)
    sql += "\(part)$\(values.count)::bigint"
  }
}

/// The statements of lists by their texts, of which there are as many as kinds of lists.
final class TimeEntrySelections: Sendable {
  private let statements = Mutex<[String: PostgreSQLStatement]>([:])

  func statement(_ sql: String) -> PostgreSQLStatement {
    statements.withLock { statements in
      if let known = statements[sql] { return known }
      let statement = PostgreSQLStatement(sql)
      statements[sql] = statement
      return statement
    }
  }
}
