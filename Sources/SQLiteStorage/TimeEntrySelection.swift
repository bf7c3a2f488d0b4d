import TimeclockDomain

/// The statement for a list of time entries. It asks for one row more than the page has, which tells whether
/// there is a next page.
struct TimeEntrySelection {
  private(set) var sql: String
  private(set) var values: [SQLiteValue] = []

  /// Puts the statement together out of fixed parts; values go in as parameters only.
  ///
  /// Each kind of list names the index that it walks: the planner knows nothing of how rows are spread, and
  /// a list must not change its cost with its arguments.
  ///
  /// - Throws: `TimeclockError.notFound(.session)`.
  init(_ query: TimeEntryQuery, on connection: SQLiteConnection) throws {
    let session = try query.session.map { try Self.row(of: $0, query, connection) }
    sql = "SELECT \(TimeEntryRows.columns) FROM time_entries e"
    sql += " \(Self.index(for: query))"
    add(" WHERE e.organization_id = ?", .integer(query.organization.value))
    if let user = query.user { add(" AND e.user_id = ?", .integer(user.value)) }
    switch query.status {
    case .clockedIn: sql += " AND e.clock_out IS NULL"
    case .clockedOut: sql += " AND e.clock_out IS NOT NULL"
    case nil: break
    }
    if let session { add(" AND e.session_id = ?", .integer(session)) }
    let dates = try TimeEntryDateBounds(query, on: connection)
    if let first = dates.first { add(" AND e.date >= ?", .date(first)) }
    addEnd(dates.last, query.cursor)
    if case .overlapping(let start, let end) = query.range {
      if let start { add(" AND coalesce(e.clock_out, 9223372036854775807) > ?", .instant(start)) }
      if let end { add(" AND e.clock_in < ?", .instant(end)) }
    }
    sql += " ORDER BY e.date DESC, e.created_at DESC, e.entry_number DESC LIMIT ?"
    values.append(PageLimit.rows(query.limit))
  }

  private static func index(for query: TimeEntryQuery) -> StaticString {
    // At most one row a member, sorted afterwards.
    if query.status == .clockedIn { return "INDEXED BY time_entries_one_active" }
    if query.session != nil { return "INDEXED BY time_entries_of_session" }
    if query.user == nil { return "INDEXED BY time_entries_by_date" }
    // The table itself is in the order of a member's list.
    return "NOT INDEXED"
  }

  /// Either the last date or the cursor, whichever comes first: given both, SQLite would walk from the last
  /// date to the cursor again for every page.
  private mutating func addEnd(_ last: LocalDate?, _ cursor: TimeEntryCursor?) {
    if let last, cursor.map({ $0.date > last }) ?? true {
      add(" AND e.date <= ?", .date(last))
    } else if let cursor {
      add(" AND (e.date, e.created_at, e.entry_number) < (?", .date(cursor.date))
      add(", ?", .instant(cursor.createdAt))
      add(", ?)", .integer(cursor.row))
    }
  }

  private mutating func add(_ part: StaticString, _ value: SQLiteValue) {
    sql += part.description
    values.append(value)
  }

  private static func row(
    of session: SessionID, _ query: TimeEntryQuery, _ connection: SQLiteConnection
  ) throws -> Int64 {
    let row = try connection.statement(
      "SELECT session_id FROM sessions WHERE organization_id = ?1 AND id = ?2"
    ).first([.integer(query.organization.value), .identifier(session)]) { $0.integer(0) }
    guard let row else { throw TimeclockError.notFound(.session) }
    return row
  }
}
