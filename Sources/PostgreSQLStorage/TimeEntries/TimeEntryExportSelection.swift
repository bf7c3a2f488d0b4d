import TimeclockDomain

/// The statement for a page of an export: in the order of the primary key, or, for a session, of the session's index.
struct TimeEntryExportSelection {
  let sql: String
  let values: [PostgreSQLValue]

  /// - Parameters:
  ///   - session: The row of the query's session.
  ///   - limit: The most rows that it gives.
  init(_ query: TimeEntryExportQuery, session: Int64?, limit: Int) {
    let order =
      session == nil
      ? "e.user_id, e.date, e.created_at, e.entry_number" : "e.date, e.created_at, e.entry_number"
    func addCursor(_ conditions: inout TimeEntryConditions) {
      guard let cursor = query.cursor else { return }
      conditions.add(" AND (\(order)) > (")
      if session == nil {
        conditions.add("", .integer(cursor.user.value))
        conditions.add(", ")
      }
      conditions.add("", .date(cursor.place.date))
      conditions.add(", ", .instant(cursor.place.createdAt))
      conditions.add(", ", .integer(cursor.place.row))
      conditions.add(")")
    }
    func addOrder(_ conditions: inout TimeEntryConditions) {
      conditions.add(" ORDER BY \(order)")
      conditions.add(" LIMIT ", .integer(Int64(limit)))
    }
    func addPage(_ conditions: inout TimeEntryConditions) {
      addCursor(&conditions)
      addOrder(&conditions)
    }
    var conditions = TimeEntryConditions(
      .init(members: query.members, status: query.status, session: session), of: query.organization)
    conditions.add("SELECT \(TimeEntryExportRows.columns) FROM (")
    if case .overlapping(let start?, let end) = query.range, query.user == nil {
      conditions.selectSpan(from: start, to: end, page: addPage, cursor: addCursor)
    } else {
      conditions.select("e.*", query.range, page: addPage)
    }
    conditions.add(") e JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id")
    conditions.add(" JOIN users u ON u.user_id = e.user_id")
    conditions.add(
      " LEFT JOIN sessions s ON s.organization_id = e.organization_id AND s.session_id = e.session_id")
    conditions.add(
      " LEFT JOIN periods p ON p.organization_id = e.organization_id AND p.user_id = e.user_id")
    addOrder(&conditions)
    sql = conditions.sql
    values = conditions.values
  }
}
