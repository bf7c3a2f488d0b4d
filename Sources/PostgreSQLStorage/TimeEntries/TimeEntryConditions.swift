import TimeclockDomain

/// SQL about the time entries of one organization that meet some conditions, put together out of fixed parts: values go
/// in as parameters only. The first parameter is the organization's row.
struct TimeEntryConditions {
  /// The conditions that entries have to meet, except for their times.
  struct Filter {
    let members: MemberSelection
    let status: TimeEntryStatus?
    /// A session's row.
    let session: Int64?
  }

  private let filter: Filter
  private(set) var sql = ""
  private(set) var values: [PostgreSQLValue]

  init(_ filter: Filter, of organization: OrganizationKey) {
    self.filter = filter
    values = [.integer(organization.value)]
  }

  /// Adds fixed text.
  mutating func add(_ part: String) {
    sql += part
  }

  /// Adds fixed text, and a number behind it.
  mutating func add(_ part: StaticString, _ value: PostgreSQLValue) {
    values.append(value)
    sql += "\(part)$\(values.count)::bigint"
  }

  /// Adds a query for the matching entries in the range.
  ///
  /// - Parameters:
  ///   - columns: Of a table named `e`.
  ///   - page: Adds where the page begins, its order, and how long it is.
  mutating func select(
    _ columns: String, _ range: TimeEntryRange, page: (inout TimeEntryConditions) -> Void
  ) {
    select(columns)
    switch range {
    case .dates(let from, let through):
      if let from { add(" AND e.date >= ", .date(from)) }
      if let through { add(" AND e.date <= ", .date(through)) }
    case .overlapping(let start, let end):
      if let start {
        addEnd(after: start)
        if let user = filter.members.user { addFirstDate(of: user, from: start) }
      }
      addBeginning(before: end)
    }
    page(&self)
  }

  /// Adds a query for all columns of everybody's entries that share a moment with a span, in two parts.
  ///
  /// They begin in it or on the day before, or are longer than a day. The first are walked in the list's order, from where
  /// the page begins. The others are few, found by an index of their own. Behind row-level security no index is searched by
  /// spans (docs/decisions/0015-row-level-security.md).
  ///
  /// - Parameters:
  ///   - page: Adds where the page begins, its order, and how long it is.
  ///   - cursor: Adds where the page begins.
  mutating func selectSpan(
    from start: Instant, to end: Instant?, page: (inout TimeEntryConditions) -> Void,
    cursor: (inout TimeEntryConditions) -> Void
  ) {
    add("(")
    select("e.*")
    addEnd(after: start)
    add(" AND e.clock_in >= ", .instant(start.adding(milliseconds: -Self.day)))
    add(" AND e.date >= ", .date(start.utcDate.adding(days: -2)))
    addBeginning(before: end)
    page(&self)
    add(") UNION ALL (")
    select("e.*")
    addEnd(after: start)
    add(" AND e.clock_in < ", .instant(start.adding(milliseconds: -Self.day)))
    add(" AND (e.clock_out IS NULL OR e.clock_out - e.clock_in > \(Self.day))")
    addBeginning(before: end)
    cursor(&self)
    add(")")
  }

  /// Selects the entries that meet the filter, at any time.
  private mutating func select(_ columns: String) {
    add("SELECT \(columns) FROM time_entries e WHERE e.organization_id = $1::bigint")
    if let row = filter.members.row {
      values.append(.integer(row))
      add(
        filter.members.way.condition(
          on: "e.user_id", organization: "$1::bigint", row: "$\(values.count)::bigint"))
    }
    switch filter.status {
    case .clockedIn: add(" AND e.clock_out IS NULL")
    case .clockedOut: add(" AND e.clock_out IS NOT NULL")
    case nil: break
    }
    if let session = filter.session { add(" AND e.session_id = ", .integer(session)) }
  }

  private static let day: Int64 = 86_400_000

  private mutating func addEnd(after start: Instant) {
    add(" AND (e.clock_out IS NULL OR e.clock_out > ", .instant(start))
    add(")")
  }

  /// One member's are walked from the last that began before the span.
  private mutating func addFirstDate(of user: UserKey, from start: Instant) {
    values += [.integer(user.value), .instant(start)]
    let first = TimeEntryRows.firstDate(
      organization: "$1::bigint", user: "$\(values.count - 1)::bigint", instant: "$\(values.count)::bigint")
    add(" AND e.date >= \(first)")
  }

  /// The schema keeps every date within a day of its clock-in, which gives the date that the walk begins at.
  private mutating func addBeginning(before end: Instant?) {
    guard let end else { return }
    add(" AND e.clock_in < ", .instant(end))
    add(" AND e.date <= ", .date(end.utcDate.adding(days: 1)))
  }
}
