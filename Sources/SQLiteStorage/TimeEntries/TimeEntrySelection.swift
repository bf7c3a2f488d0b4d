import TimeclockDomain

/// The statement for a list of time entries. It asks for one row more than the page has, to see whether there is a next
/// page.
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
    let session = try query.session.map { try Self.row(of: $0, in: query.organization, on: connection) }
    sql = "SELECT \(TimeEntryRows.columns) FROM time_entries e"
    sql += " \(Self.index(for: query))"
    add(" WHERE e.organization_id = ?", .integer(query.organization.value))
    addMembers(query, "e.user_id")
    addStatus(query.status)
    if let session { add(" AND e.session_id = ?", .integer(session)) }
    let dates = try TimeEntryDateBounds(query, on: connection)
    if let first = dates.first { add(" AND e.date >= ?", .date(first)) }
    addEnd(dates.last, query.cursor)
    if case .overlapping(let start, let end) = query.range {
      if let end { add(" AND e.clock_in < ?", .instant(end)) }
      if let start, query.walksEveryonesDates {
        add(" AND e.clock_in >= ?", .instant(start))
        addSpanning(start, end, query)
      } else if let start {
        add(" AND coalesce(e.clock_out, 9223372036854775807) > ?", .instant(start))
      }
    }
    sql += " ORDER BY e.date DESC, e.created_at DESC, e.entry_number DESC LIMIT ?"
    values.append(PageLimit.rows(query.rowLimit(PageLimit.clamped(query.limit))))
  }

  /// Adds the entries that have begun before the span's start and reach into it: at most the last one of each
  /// member, found by its start. Walking dates would not do, because one entry that was never closed would
  /// make everyone's dates since then part of the walk.
  private mutating func addSpanning(_ start: Instant, _ end: Instant?, _ query: TimeEntryQuery) {
    sql += """
       UNION ALL SELECT \(TimeEntryRows.columns) FROM members m \
      CROSS JOIN time_entries e INDEXED BY time_entries_by_start \
      ON e.organization_id = m.organization_id AND e.user_id = m.user_id
      """
    add(
      """
       AND e.clock_in = (SELECT max(b.clock_in) FROM time_entries b INDEXED BY time_entries_by_start \
      WHERE b.organization_id = m.organization_id AND b.user_id = m.user_id AND b.clock_in < ?)
      """, .instant(start))
    add(" WHERE m.organization_id = ?", .integer(query.organization.value))
    add(" AND coalesce(e.clock_out, 9223372036854775807) > ?", .instant(start))
    addMembers(query, "m.user_id")
    if let end { add(" AND e.clock_in < ?", .instant(end)) }
    addStatus(query.status)
    addEnd(nil, query.cursor)
  }

  /// Adds the condition on the owner, whose row is in a column.
  private mutating func addMembers(_ query: TimeEntryQuery, _ column: String) {
    guard let row = query.members.row else { return }
    if query.members.user == nil { values.append(.integer(query.organization.value)) }
    sql += query.members.way.condition(on: column, organization: "?", row: "?")
    values.append(.integer(row))
  }

  private mutating func addStatus(_ status: TimeEntryStatus?) {
    switch status {
    case .clockedIn: sql += " AND e.clock_out IS NULL"
    case .clockedOut: sql += " AND e.clock_out IS NOT NULL"
    case nil: break
    }
  }

  private static func index(for query: TimeEntryQuery) -> StaticString {
    // At most one row a member, sorted afterwards.
    if query.status == .clockedIn { return "INDEXED BY time_entries_one_active" }
    if query.session != nil { return "INDEXED BY time_entries_of_session" }
    if query.walksEveryonesDates { return "INDEXED BY time_entries_by_date" }
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

  /// The row of a session.
  ///
  /// - Throws: `TimeclockError.notFound(.session)`.
  static func row(
    of session: SessionID, in organization: OrganizationKey, on connection: SQLiteConnection
  ) throws -> Int64 {
    let row = try connection.statement(
      "SELECT session_id FROM sessions WHERE organization_id = ?1 AND id = ?2"
    ).first([.integer(organization.value), .identifier(session)]) { $0.integer(0) }
    guard let row else { throw TimeclockError.notFound(.session) }
    return row
  }
}

extension TimeEntryQuery {
  /// Whether the list has no index of fewer entries than all those of its dates.
  var walksEveryonesDates: Bool { user == nil && session == nil && status != .clockedIn }
}
