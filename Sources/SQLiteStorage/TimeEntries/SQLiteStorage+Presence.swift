import TimeclockDomain

extension SQLiteStorage {
  package func presence(_ query: PresenceQuery) async throws -> Page<PresentMember, PresenceCursor> {
    try read { connection in
      let limit = PageLimit.clamped(query.limit)
      var rows = try connection.statement(PresenceRows.members).all(
        query.values + [PageLimit.rows(limit)]
      ) { row in
        (
          user: row.integer(0),
          member: PresentMember(
            userID: try row.identifier(1), name: row.text(2), timeZone: try row.optionalTimeZone(3),
            timeEntryID: try row.identifier(4), clockInTime: row.instant(5),
            sessionID: try row.optionalIdentifier(6), worked: [])
        )
      }
      let hasMore = rows.count > limit
      rows.removeLast(rows.count - min(rows.count, limit))
      var worked: [Int64: [WorkedSpan]] = [:]
      try connection.statement(PresenceRows.worked).forEach(
        query.values + [PageLimit.count(limit), .instant(query.workedSince)]
      ) { row in
        worked[row.integer(0), default: []].append(WorkedSpan(start: row.instant(1), end: row.instant(2)))
      }
      let members = rows.map { row in
        var member = row.member
        member.worked = worked[row.user] ?? []
        return member
      }
      return Page(elements: members, next: hasMore ? members.last?.cursor : nil)
    }
  }
}

extension PresenceQuery {
  /// The values of `PresenceRows.page`, but for its last.
  fileprivate var values: [SQLiteValue] {
    let cursor = cursor ?? .beginning
    return [
      .integer(organization.value), .instant(cursor.clockInTime), .identifier(cursor.timeEntryID),
      .integer(beginningFrom?.millisecondsSince1970 ?? .min),
      .integer(beginningBefore?.millisecondsSince1970 ?? .max),
    ]
  }
}

/// The statements on members that are clocked in.
private enum PresenceRows {
  /// The active entries of a page.
  private static let page = """
    WHERE e.organization_id = ?1 AND e.clock_out IS NULL AND (e.clock_in, e.id) > (?2, ?3)
      AND e.clock_in >= ?4 AND e.clock_in < ?5 ORDER BY e.clock_in, e.id LIMIT ?6
    """

  static let members = SQLiteText(
    """
    SELECT e.user_id, u.id, m.name, m.time_zone, e.id, e.clock_in,
      (SELECT s.id FROM sessions s WHERE s.session_id = e.session_id)
    FROM time_entries e INDEXED BY time_entries_active_by_start
    CROSS JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
    CROSS JOIN users u ON u.user_id = e.user_id
    \(page)
    """)

  /// The closed entries of a page's members that ended after an instant: those that began after it, and the last one
  /// before it. They stand before the active one, because a member's entries never overlap.
  static let worked = SQLiteText(
    """
    SELECT w.user_id, w.clock_in, w.clock_out FROM (
      SELECT e.organization_id, e.user_id, e.clock_in
      FROM time_entries e INDEXED BY time_entries_active_by_start \(page)) e
    CROSS JOIN time_entries w INDEXED BY time_entries_by_start
      ON w.organization_id = e.organization_id AND w.user_id = e.user_id AND w.clock_in < e.clock_in
      AND w.clock_in >= coalesce((SELECT max(b.clock_in) FROM time_entries b INDEXED BY time_entries_by_start
        WHERE b.organization_id = e.organization_id AND b.user_id = e.user_id AND b.clock_in < ?7), ?7)
    WHERE w.clock_out > ?7
    """)
}
