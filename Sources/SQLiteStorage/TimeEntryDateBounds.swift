import TimeclockDomain

/// Between which dates a list's entries lie, so that a question about a span becomes a run of dates. What
/// lies there and not in the span is left out row by row.
struct TimeEntryDateBounds {
  private(set) var first: LocalDate?
  private(set) var last: LocalDate?

  init(_ query: TimeEntryQuery, on connection: SQLiteConnection) throws {
    switch query.range {
    case .dates(let from, let through):
      first = from
      last = through
    case .overlapping(let start, let end):
      // The schema keeps every date within a day of its clock-in.
      last = end.map { Self.utcDate(of: $0).adding(days: 1) }
      first = try start.map { try Self.firstDate(reaching: $0, query, connection) }
    }
  }

  /// The date of the earliest entry that ends after `start`: of one that begins after it, or of the one entry
  /// that a member can have around it, however long ago that one began.
  private static func firstDate(
    reaching start: Instant, _ query: TimeEntryQuery, _ connection: SQLiteConnection
  ) throws -> LocalDate {
    let afterwards = utcDate(of: start).adding(days: -1)
    let values: [SQLiteValue] = [.integer(query.organization.value), .instant(start)]
    let spanning =
      if let user = query.user {
        try connection.statement(ofMember).first(values + [.integer(user.value)], date)
      } else {
        try connection.statement(ofEveryone).first(values, date)
      }
    return min(afterwards, (spanning ?? nil) ?? afterwards)
  }

  /// The date of a member's last entry before an instant, where it reaches beyond it: one descent.
  private static func spanningDate(ofUser user: StaticString) -> String {
    """
    SELECT CASE WHEN e.clock_out IS NULL OR e.clock_out > ?2 THEN e.date END \
    FROM time_entries e INDEXED BY time_entries_by_start \
    WHERE e.organization_id = ?1 AND e.user_id = \(user) AND e.clock_in < ?2 \
    ORDER BY e.clock_in DESC LIMIT 1
    """
  }

  private static let ofMember = SQLiteText(spanningDate(ofUser: "?3"))

  private static let ofEveryone = SQLiteText(
    """
    SELECT min((\(spanningDate(ofUser: "m.user_id")))) FROM members m WHERE m.organization_id = ?1
    """)

  private static func date(_ row: SQLiteRow) -> LocalDate? {
    row.isNull(0) ? nil : row.date(0)
  }

  private static func utcDate(of instant: Instant) -> LocalDate {
    let (quotient, remainder) = instant.millisecondsSince1970.quotientAndRemainder(dividingBy: 86_400_000)
    return LocalDate(daysSince1970: Int32(clamping: remainder < 0 ? quotient - 1 : quotient))
  }
}
