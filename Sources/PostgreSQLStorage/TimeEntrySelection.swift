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
    sql = ""
    switch query.range {
    case .dates(let from, let through):
      select(TimeEntryRows.columns, query, session)
      if let from { add(" AND e.date >= ", .date(from)) }
      if let through { add(" AND e.date <= ", .date(through)) }
      addPage(query)
    case .overlapping(nil, let end):
      select(TimeEntryRows.columns, query, session)
      addBeginning(before: end)
      addPage(query)
    case .overlapping(let start?, let end):
      if let user = query.user {
        select(TimeEntryRows.columns, query, session)
        addEnd(after: start)
        addFirstDate(of: user, from: start)
        addBeginning(before: end)
        addPage(query)
        return
      }
      addSpan(query, session, from: start, to: end)
    }
  }

  /// Everybody's entries that share a moment with the span begin in it or on the day before, or are longer than a day. The first
  /// are walked in the list's order, from where the page begins. The others are few, found by an index of their own, and
  /// sorted. Behind row-level security no index is searched by spans (docs/decisions/0015-row-level-security.md).
  private mutating func addSpan(
    _ query: TimeEntryQuery, _ session: Int64?, from start: Instant, to end: Instant?
  ) {
    sql += "SELECT \(TimeEntryRows.columns) FROM (("
    select("*", query, session)
    addEnd(after: start)
    add(" AND e.clock_in >= ", .instant(start.adding(milliseconds: -Self.day)))
    add(" AND e.date >= ", .date(start.utcDate.adding(days: -2)))
    addBeginning(before: end)
    addPage(query)
    sql += ") UNION ALL ("
    select("*", query, session)
    addEnd(after: start)
    add(" AND e.clock_in < ", .instant(start.adding(milliseconds: -Self.day)))
    sql += " AND (e.clock_out IS NULL OR e.clock_out - e.clock_in > \(Self.day))"
    addBeginning(before: end)
    addCursor(query)
    sql += ")) e"
    addOrder(query)
  }

  /// Whose entries, whatever their times.
  private mutating func select(_ columns: String, _ query: TimeEntryQuery, _ session: Int64?) {
    sql += "SELECT \(columns) FROM time_entries e"
    add(" WHERE e.organization_id = ", .integer(query.organization.value))
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

  /// One member's are walked from the last that began before the span.
  private mutating func addFirstDate(of user: UserKey, from start: Instant) {
    values += [.integer(user.value), .instant(start)]
    let first = TimeEntryRows.firstDate(
      organization: "$1::bigint", user: "$\(values.count - 1)::bigint", instant: "$\(values.count)::bigint")
    sql += " AND e.date >= \(first)"
  }

  /// The schema keeps every date within a day of its clock-in, which tells where the walk through the dates
  /// begins.
  private mutating func addBeginning(before end: Instant?) {
    guard let end else { return }
    add(" AND e.clock_in < ", .instant(end))
    add(" AND e.date <= ", .date(end.utcDate.adding(days: 1)))
  }

  private mutating func addPage(_ query: TimeEntryQuery) {
    addCursor(query)
    addOrder(query)
  }

  private mutating func addCursor(_ query: TimeEntryQuery) {
    guard let cursor = query.cursor else { return }
    add(" AND (e.date, e.created_at, e.entry_number) < (", .date(cursor.date))
    add(", ", .instant(cursor.createdAt))
    add(", ", .integer(cursor.row))
    sql += ")"
  }

  /// Who is clocked in is found by an index of its own and sorted: at most one row of each member. The sum keeps
  /// PostgreSQL from walking through everybody's history in the list's order.
  private mutating func addOrder(_ query: TimeEntryQuery) {
    sql += query.status == .clockedIn ? " ORDER BY e.date + 0" : " ORDER BY e.date"
    add(" DESC, e.created_at DESC, e.entry_number DESC LIMIT ", PageLimit.rows(query.limit))
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
      // Which index is best depends on how many entries the organisation, the member and the range have.
      let statement = PostgreSQLStatement(sql, isPlannedAnew: true)
      statements[sql] = statement
      return statement
    }
  }
}
