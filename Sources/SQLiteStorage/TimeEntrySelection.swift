import TimeclockDomain

/// The statement for a list of time entries. It asks for one row more than the page has, which tells whether
/// there is a next page.
struct TimeEntrySelection {
  private(set) var sql: String
  private(set) var values: [SQLiteValue] = []

  /// Puts the statement together out of fixed parts; values go in as parameters only.
  ///
  /// - Throws: `TimeclockError.notFound(.session)`.
  init(_ query: TimeEntryQuery, on connection: SQLiteConnection) throws {
    sql = "SELECT \(TimeEntryRows.columns) FROM time_entries e"
    if query.status == .clockedIn {
      sql += " INDEXED BY time_entries_one_active"
    } else if query.user == nil {
      sql += " INDEXED BY time_entries_by_date"
    }
    add(" WHERE e.organization_id = ?", .integer(query.organization.value))
    if let user = query.user { add(" AND e.user_id = ?", .integer(user.value)) }
    switch query.status {
    case .clockedIn: sql += " AND e.clock_out IS NULL"
    case .clockedOut: sql += " AND e.clock_out IS NOT NULL"
    case nil: break
    }
    if let session = query.session {
      add(" AND e.session_id = ?", .integer(try Self.row(of: session, query, connection)))
    }
    try add(query.range, query, connection)
    if let cursor = query.cursor {
      add(" AND (e.date, e.created_at, e.entry_number) < (?", .date(cursor.date))
      add(", ?", .instant(cursor.createdAt))
      add(", ?)", .integer(cursor.row))
    }
    add(
      " ORDER BY e.date DESC, e.created_at DESC, e.entry_number DESC LIMIT ?",
      .integer(Int64(query.limit) + 1))
  }

  private mutating func add(_ part: StaticString, _ value: SQLiteValue) {
    sql += part.description
    values.append(value)
  }

  private mutating func add(
    _ range: TimeEntryRange, _ query: TimeEntryQuery, _ connection: SQLiteConnection
  ) throws {
    switch range {
    case .dates(let first, let last):
      if let first { add(" AND e.date >= ?", .date(first)) }
      if let last { add(" AND e.date <= ?", .date(last)) }
    case .overlapping(let start, let end):
      if let start {
        add(" AND e.date >= ?", .date(try Self.firstDate(reaching: start, query, connection)))
        add(" AND coalesce(e.clock_out, 9223372036854775807) > ?", .instant(start))
      }
      if let end {
        // A date is the local one, and no zone is a day ahead of UTC.
        add(" AND e.date <= ?", .date(Self.day(of: end).adding(days: 1)))
        add(" AND e.clock_in < ?", .instant(end))
      }
    }
  }

  /// The date of the earliest entry that ends after `start`: of one that begins after it, or of the one
  /// entry a member can have that spans it, however long ago that one began.
  private static func firstDate(
    reaching start: Instant, _ query: TimeEntryQuery, _ connection: SQLiteConnection
  ) throws -> LocalDate {
    let afterwards = day(of: start).adding(days: -1)
    let spanning = try connection.statement(
      """
      SELECT min((SELECT CASE WHEN e.clock_out IS NULL OR e.clock_out > ?2 THEN e.date END \
      FROM time_entries e INDEXED BY time_entries_by_start WHERE e.organization_id = m.organization_id \
      AND e.user_id = m.user_id AND e.clock_in < ?2 ORDER BY e.clock_in DESC LIMIT 1)) \
      FROM members m WHERE m.organization_id = ?1 AND (?3 IS NULL OR m.user_id = ?3)
      """
    ).first([.integer(query.organization.value), .instant(start), .optional(query.user?.value)]) {
      $0.isNull(0) ? nil : $0.date(0)
    }
    return min(afterwards, (spanning ?? nil) ?? afterwards)
  }

  private static func day(of instant: Instant) -> LocalDate {
    let (quotient, remainder) = instant.millisecondsSince1970.quotientAndRemainder(dividingBy: 86_400_000)
    return LocalDate(daysSince1970: Int32(clamping: remainder < 0 ? quotient - 1 : quotient))
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
