import Synchronization
import TimeclockDomain

/// The statement for a list of time entries. It asks for one row more than the page has, to see whether there is a next
/// page.
struct TimeEntrySelection {
  let sql: String
  let values: [PostgreSQLValue]

  /// - Parameter session: The row of the query's session.
  init(_ query: TimeEntryQuery, session: Int64?) {
    var conditions = TimeEntryConditions(
      .init(members: query.members, status: query.status, session: session), of: query.organization)
    func addPage(_ conditions: inout TimeEntryConditions) {
      Self.addCursor(query, to: &conditions)
      Self.addOrder(query, to: &conditions)
    }
    if case .overlapping(let start?, let end) = query.range, query.user == nil {
      conditions.add("SELECT \(TimeEntryRows.columns) FROM (")
      conditions.selectSpan(from: start, to: end, page: addPage) { Self.addCursor(query, to: &$0) }
      conditions.add(") e")
      Self.addOrder(query, to: &conditions)
    } else {
      conditions.select(TimeEntryRows.columns, query.range, page: addPage)
    }
    sql = conditions.sql
    values = conditions.values
  }

  private static func addCursor(_ query: TimeEntryQuery, to conditions: inout TimeEntryConditions) {
    guard let cursor = query.cursor else { return }
    conditions.add(" AND (e.date, e.created_at, e.entry_number) < (", .date(cursor.date))
    conditions.add(", ", .instant(cursor.createdAt))
    conditions.add(", ", .integer(cursor.row))
    conditions.add(")")
  }

  /// Active entries are found by an index of their own and sorted: at most one row of each member. The sum keeps
  /// PostgreSQL from walking through everybody's history in the list's order.
  private static func addOrder(_ query: TimeEntryQuery, to conditions: inout TimeEntryConditions) {
    conditions.add(query.status == .clockedIn ? " ORDER BY e.date + 0" : " ORDER BY e.date")
    conditions.add(" DESC, e.created_at DESC, e.entry_number DESC LIMIT ", PageLimit.rows(query.limit))
  }
}

/// The statements of lists by their texts, of which there are as many as kinds of lists.
final class TimeEntrySelections: Sendable {
  private let statements = Mutex<[String: PostgreSQLStatement]>([:])

  func statement(_ sql: String) -> PostgreSQLStatement {
    statements.withLock { statements in
      if let known = statements[sql] { return known }
      // The best index depends on the numbers of entries that the organization, the member and the range have.
      let statement = PostgreSQLStatement(sql, isPlannedAnew: true)
      statements[sql] = statement
      return statement
    }
  }
}
