import TimeclockDomain

/// The statement for a run of an export. Everyone's are asked for in two: the rest of the member that the last page ended
/// with, and the members that come next.
struct TimeEntryExportSelection {
  /// Whose entries a run is of.
  enum Run {
    /// One member's, from the cursor on.
    case member(UserKey, after: TimeEntryCursor?)
    /// All those of the members after one, member by member.
    case membersAfter(UserKey?)
    /// A session's, of everyone or of one member, in the order of the session's index.
    case session(row: Int64, user: UserKey?, after: TimeEntryCursor?)
  }

  private(set) var sql = ""
  private(set) var values: [PostgreSQLValue] = []

  /// Puts the statement together out of fixed parts; values go in as parameters only.
  ///
  /// - Parameter limit: How many rows it gives at most.
  init(_ query: TimeEntryExportQuery, _ run: Run, limit: Int) {
    // The first value is the organisation, which the columns refer to.
    values = [.integer(query.organization.value)]
    sql = "SELECT \(TimeEntryExportRows.columns) FROM "
    switch run {
    case .member(let user, let place):
      sql += "members m JOIN users u ON u.user_id = m.user_id CROSS JOIN LATERAL ("
      addEntriesOfMember(query, after: place, limit: limit)
      add(" WHERE m.organization_id = $1 AND m.user_id = ", .integer(user.value))
      sql += " ORDER BY e.date, e.created_at, e.entry_number"
    case .membersAfter(let user):
      sql += "members m JOIN users u ON u.user_id = m.user_id CROSS JOIN LATERAL ("
      addEntriesOfMember(query, after: nil, limit: limit)
      sql += " WHERE m.organization_id = $1"
      if let user { add(" AND m.user_id > ", .integer(user.value)) }
      sql += " ORDER BY m.user_id, e.date, e.created_at, e.entry_number"
      add(" LIMIT ", .integer(Int64(limit)))
    case .session(let session, let user, let place):
      sql +=
        "time_entries e JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id "
      sql += "JOIN users u ON u.user_id = e.user_id \(TimeEntryExportRows.joinedSession) "
      add("WHERE e.organization_id = $1 AND e.session_id = ", .integer(session))
      if let user { add(" AND e.user_id = ", .integer(user.value)) }
      addConditions(query, after: place, isOfMember: false)
      sql += " ORDER BY e.date, e.created_at, e.entry_number"
      add(" LIMIT ", .integer(Int64(limit)))
    }
  }

  /// Each member's entries by themselves: the primary key has them in order, from the first one that is wanted on.
  private mutating func addEntriesOfMember(
    _ query: TimeEntryExportQuery, after place: TimeEntryCursor?, limit: Int
  ) {
    sql +=
      "SELECT e.* FROM time_entries e WHERE e.organization_id = m.organization_id AND e.user_id = m.user_id"
    addConditions(query, after: place, isOfMember: true)
    sql += " ORDER BY e.date, e.created_at, e.entry_number"
    add(" LIMIT ", .integer(Int64(limit)))
    sql += ") e \(TimeEntryExportRows.joinedSession)"
  }

  /// - Parameter isOfMember: Whether the walk is through a member's dates.
  private mutating func addConditions(
    _ query: TimeEntryExportQuery, after place: TimeEntryCursor?, isOfMember: Bool
  ) {
    switch query.status {
    case .clockedIn: sql += " AND e.clock_out IS NULL"
    case .clockedOut: sql += " AND e.clock_out IS NOT NULL"
    case nil: break
    }
    switch query.range {
    case .dates(let from, let through):
      if let from { add(" AND e.date >= ", .date(from)) }
      if let through { add(" AND e.date <= ", .date(through)) }
    case .overlapping(let start, let end):
      if let start {
        add(" AND coalesce(e.clock_out, 9223372036854775807) > ", .instant(start))
        if isOfMember { addFirstDate(of: start) }
      }
      if let end {
        add(" AND e.clock_in < ", .instant(end))
        add(" AND e.date <= ", .date(end.utcDate.adding(days: 1)))
      }
    }
    guard let place else { return }
    add(" AND (e.date, e.created_at, e.entry_number) > (", .date(place.date))
    add(", ", .instant(place.createdAt))
    add(", ", .integer(place.row))
    sql += ")"
  }

  /// The schema keeps every date within a day of its clock-in, and a member has at most one entry around the start,
  /// however long ago it began: that tells where the walk through the dates begins.
  private mutating func addFirstDate(of start: Instant) {
    add(" AND e.date >= least(", .date(start.utcDate.adding(days: -1)))
    sql += ", (SELECT b.date FROM time_entries b WHERE b.organization_id = m.organization_id"
    add(" AND b.user_id = m.user_id AND int8range(b.clock_in, b.clock_out) @> ", .instant(start))
    sql += "))"
  }

  private mutating func add(_ part: StaticString, _ value: PostgreSQLValue) {
    values.append(value)
    sql += "\(part)$\(values.count)::bigint"
  }
}
