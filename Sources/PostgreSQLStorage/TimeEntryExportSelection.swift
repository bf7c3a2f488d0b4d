import TimeclockDomain

/// The statement for a page of an export: in the order of the primary key, or, for a session, of the session's index.
struct TimeEntryExportSelection {
  private(set) var sql = ""
  private(set) var values: [PostgreSQLValue] = []
  private let order: String

  /// Puts the statement together out of fixed parts; values go in as parameters only.
  ///
  /// - Parameters:
  ///   - session: The row of the query's session.
  ///   - limit: How many rows it gives at most.
  init(_ query: TimeEntryExportQuery, session: Int64?, limit: Int) {
    order =
      session == nil
      ? "e.user_id, e.date, e.created_at, e.entry_number" : "e.date, e.created_at, e.entry_number"
    // The first value is the organisation, which the columns refer to.
    values = [.integer(query.organization.value)]
    sql = "SELECT \(TimeEntryExportRows.columns) FROM ("
    switch query.range {
    case .dates(let from, let through):
      select(query, session)
      if let from { add(" AND e.date >= ", .date(from)) }
      if let through { add(" AND e.date <= ", .date(through)) }
      addPage(query, limit)
    case .overlapping(nil, let end):
      select(query, session)
      addBeginning(before: end)
      addPage(query, limit)
    case .overlapping(let start?, let end):
      if let user = query.user {
        select(query, session)
        addEnd(after: start)
        addFirstDate(of: user, from: start)
        addBeginning(before: end)
        addPage(query, limit)
        break
      }
      addSpan(query, session, from: start, to: end, limit)
    }
    sql += ") e JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id"
    sql += " JOIN users u ON u.user_id = e.user_id"
    sql += " LEFT JOIN sessions s ON s.organization_id = e.organization_id AND s.session_id = e.session_id"
    sql += " ORDER BY \(order)"
    add(" LIMIT ", .integer(Int64(limit)))
  }

  /// Everybody's entries that share a moment with the span begin in it or on the day before, or are longer than a day, as
  /// in `TimeEntrySelection`.
  private mutating func addSpan(
    _ query: TimeEntryExportQuery, _ session: Int64?, from start: Instant, to end: Instant?, _ limit: Int
  ) {
    sql += "("
    select(query, session)
    addEnd(after: start)
    add(" AND e.clock_in >= ", .instant(start.adding(milliseconds: -Self.day)))
    add(" AND e.date >= ", .date(start.utcDate.adding(days: -2)))
    addBeginning(before: end)
    addPage(query, limit)
    sql += ") UNION ALL ("
    select(query, session)
    addEnd(after: start)
    add(" AND e.clock_in < ", .instant(start.adding(milliseconds: -Self.day)))
    sql += " AND (e.clock_out IS NULL OR e.clock_out - e.clock_in > \(Self.day))"
    addBeginning(before: end)
    addCursor(query)
    sql += ")"
  }

  /// Whose entries, whatever their times.
  private mutating func select(_ query: TimeEntryExportQuery, _ session: Int64?) {
    sql += "SELECT e.* FROM time_entries e WHERE e.organization_id = $1::bigint"
    if let user = query.user { add(" AND e.user_id = ", .integer(user.value)) }
    switch query.status {
    case .clockedIn: sql += " AND e.clock_out IS NULL"
    case .clockedOut: sql += " AND e.clock_out IS NOT NULL"
    case nil: break
    }
    if let session { add(" AND e.session_id = ", .integer(session)) }
  }

  private static let day: Int64 = 86_400_000

  private mutating func addEnd(after start: Instant) {
    add(" AND (e.clock_out IS NULL OR e.clock_out > ", .instant(start))
    sql += ")"
  }

  private mutating func addFirstDate(of user: UserKey, from start: Instant) {
    values += [.integer(user.value), .instant(start)]
    let first = TimeEntryRows.firstDate(
      organization: "$1::bigint", user: "$\(values.count - 1)::bigint", instant: "$\(values.count)::bigint")
    sql += " AND e.date >= \(first)"
  }

  /// The schema keeps every date within a day of its clock-in.
  private mutating func addBeginning(before end: Instant?) {
    guard let end else { return }
    add(" AND e.clock_in < ", .instant(end))
    add(" AND e.date <= ", .date(end.utcDate.adding(days: 1)))
  }

  private mutating func addPage(_ query: TimeEntryExportQuery, _ limit: Int) {
    addCursor(query)
    sql += " ORDER BY \(order)"
    add(" LIMIT ", .integer(Int64(limit)))
  }

  private mutating func addCursor(_ query: TimeEntryExportQuery) {
    guard let cursor = query.cursor else { return }
    sql += " AND (\(order)) > ("
    if query.session == nil {
      add("", .integer(cursor.user.value))
      sql += ", "
    }
    add("", .date(cursor.place.date))
    add(", ", .instant(cursor.place.createdAt))
    add(", ", .integer(cursor.place.row))
    sql += ")"
  }

  private mutating func add(_ part: StaticString, _ value: PostgreSQLValue) {
    values.append(value)
    sql += "\(part)$\(values.count)::bigint"
  }
}
