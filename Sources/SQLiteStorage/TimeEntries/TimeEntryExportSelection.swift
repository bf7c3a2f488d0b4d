import TimeclockDomain

/// The statement for a run of an export: a member's entries in the order of the table, or a session's in that of its
/// index.
struct TimeEntryExportSelection {
  private(set) var sql: String
  private(set) var values: [SQLiteValue] = []

  /// Puts the statement together out of fixed parts; values go in as parameters only. The last one, the limit of rows,
  /// is left to the caller.
  ///
  /// - Parameter user: The owner of the entries; nil, which only a session's export may state, means everyone.
  /// - Throws: `TimeclockError.notFound(.session)`.
  init(
    _ query: TimeEntryExportQuery, of user: UserKey?, after place: TimeEntryCursor?,
    on connection: SQLiteConnection
  ) throws {
    let list = TimeEntryQuery(
      organization: query.organization, user: user, range: query.range, status: query.status,
      session: query.session, cursor: nil, limit: query.limit)
    sql = "SELECT \(TimeEntryRows.columns) FROM time_entries e \(Self.index(for: query))"
    add(" WHERE e.organization_id = ?", .integer(query.organization.value))
    if let user {
      add(" AND e.user_id = ?", .integer(user.value))
    } else if let row = query.among.row {
      sql += query.among.way.condition(on: "e.user_id", organization: "?", row: "?")
      if query.among.user == nil { values.append(.integer(query.organization.value)) }
      values.append(.integer(row))
    }
    if let session = query.session {
      let row = try TimeEntrySelection.row(of: session, in: query.organization, on: connection)
      add(" AND e.session_id = ?", .integer(row))
    }
    switch query.status {
    case .clockedIn: sql += " AND e.clock_out IS NULL"
    case .clockedOut: sql += " AND e.clock_out IS NOT NULL"
    case nil: break
    }
    let dates = try TimeEntryDateBounds(list, on: connection)
    addBeginning(dates.first, place)
    if let last = dates.last { add(" AND e.date <= ?", .date(last)) }
    if case .overlapping(let start, let end) = query.range {
      if let end { add(" AND e.clock_in < ?", .instant(end)) }
      if let start { add(" AND coalesce(e.clock_out, 9223372036854775807) > ?", .instant(start)) }
    }
    sql += " ORDER BY e.date, e.created_at, e.entry_number LIMIT ?"
  }

  private static func index(for query: TimeEntryExportQuery) -> StaticString {
    if query.session != nil { return "INDEXED BY time_entries_of_session" }
    // At most one row a member.
    if query.status == .clockedIn { return "INDEXED BY time_entries_one_active" }
    return "NOT INDEXED"
  }

  /// Either the first date or the place, whichever comes last: given both, SQLite would walk from the first date to the
  /// place again for every page.
  private mutating func addBeginning(_ first: LocalDate?, _ place: TimeEntryCursor?) {
    if let first, place.map({ $0.date < first }) ?? true {
      add(" AND e.date >= ?", .date(first))
    } else if let place {
      add(" AND (e.date, e.created_at, e.entry_number) > (?", .date(place.date))
      add(", ?", .instant(place.createdAt))
      add(", ?)", .integer(place.row))
    }
  }

  private mutating func add(_ part: StaticString, _ value: SQLiteValue) {
    sql += part.description
    values.append(value)
  }
}
