import TimeclockDomain

/// The dates between which a list's entries lie, so that a question about a span becomes a run of dates. Entries of
/// these dates that are not in the span are left out row by row.
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
      last = end.map { $0.utcDate.adding(days: 1) }
      guard let start else { return }
      let afterwards = start.utcDate.adding(days: -1)
      if let user = query.user {
        first = min(afterwards, try Self.dateSpanning(start, user, query, connection) ?? afterwards)
      } else if query.walksEveryonesDates {
        // Of entries that begin at the start or later; the others are found by their start.
        first = afterwards
      }
    }
  }

  /// The date of the one entry that a member can have around `start`, however long ago it began: one descent.
  private static func dateSpanning(
    _ start: Instant, _ user: UserKey, _ query: TimeEntryQuery, _ connection: SQLiteConnection
  ) throws -> LocalDate? {
    try connection.statement(
      """
      SELECT CASE WHEN e.clock_out IS NULL OR e.clock_out > ?2 THEN e.date END \
      FROM time_entries e INDEXED BY time_entries_by_start \
      WHERE e.organization_id = ?1 AND e.user_id = ?3 AND e.clock_in < ?2 \
      ORDER BY e.clock_in DESC LIMIT 1
      """
    ).first([.integer(query.organization.value), .instant(start), .integer(user.value)], date) ?? nil
  }

  private static func date(_ row: SQLiteRow) -> LocalDate? {
    row.isNull(0) ? nil : row.date(0)
  }
}
