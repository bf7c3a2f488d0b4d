import TimeclockDomain

extension SQLiteStorage {
  package func presence(_ query: PresenceQuery) async throws -> Page<PresentMember, PresenceCursor> {
    let limit = PageLimit.clamped(query.limit)
    let isLong = try limit > Self.shortPage || read { try PresenceRows.areMany(query.organization, on: $0) }
    guard isLong else { return try read { try PresenceRows.page(query, limit, on: $0) } }
    return try await readLong(of: query.organization) { try PresenceRows.page(query, limit, on: $0) }
  }
}

/// The statements on members that are clocked in.
private enum PresenceRows {
  /// Whether so many members are clocked in that to look through their entries, which no index has in the order of
  /// clock-ins, takes longer than an event loop may.
  static func areMany(_ organization: OrganizationKey, on connection: SQLiteConnection) throws -> Bool {
    try connection.statement(thousandth).first([.integer(organization.value)]) { _ in true } ?? false
  }

  static func page(
    _ query: PresenceQuery, _ limit: Int, on connection: SQLiteConnection
  ) throws -> Page<PresentMember, PresenceCursor> {
    let cursor = query.cursor ?? .beginning
    var rows = try connection.statement(members).all([
      .integer(query.organization.value), .instant(cursor.clockInTime), .identifier(cursor.timeEntryID),
      .integer(query.beginningFrom?.millisecondsSince1970 ?? .min),
      .integer(query.beginningBefore?.millisecondsSince1970 ?? .max), PageLimit.rows(limit),
    ]) { row in
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
    let members = try rows.map { row in
      var member = row.member
      member.worked = try connection.statement(worked).all([
        .integer(query.organization.value), .integer(row.user), .instant(member.clockInTime),
        .instant(query.workedSince),
      ]) { WorkedSpan(start: $0.instant(0), end: $0.instant(1)) }
      return member
    }
    return Page(elements: members, next: hasMore ? members.last?.cursor : nil)
  }

  private static let thousandth = SQLiteText(
    """
    SELECT 1 FROM time_entries INDEXED BY time_entries_one_active
    WHERE organization_id = ?1 AND clock_out IS NULL LIMIT 1 OFFSET 1000
    """)

  private static let members = SQLiteText(
    """
    SELECT e.user_id, u.id, m.name, m.time_zone, e.id, e.clock_in,
      (SELECT s.id FROM sessions s WHERE s.session_id = e.session_id)
    FROM (
      SELECT organization_id, user_id, id, clock_in, session_id
      FROM time_entries INDEXED BY time_entries_one_active
      WHERE organization_id = ?1 AND clock_out IS NULL AND (clock_in, id) > (?2, ?3)
        AND clock_in >= ?4 AND clock_in < ?5 ORDER BY clock_in, id LIMIT ?6) e
    CROSS JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
    CROSS JOIN users u ON u.user_id = e.user_id
    ORDER BY e.clock_in, e.id
    """)

  /// A member's closed entries that ended after an instant: those that began after it, and the last one before it. They
  /// stand before the active one, because a member's entries never overlap.
  private static let worked = SQLiteText(
    """
    SELECT w.clock_in, w.clock_out FROM time_entries w INDEXED BY time_entries_by_start
    WHERE w.organization_id = ?1 AND w.user_id = ?2 AND w.clock_in < ?3
      AND w.clock_in >= coalesce((SELECT max(b.clock_in) FROM time_entries b INDEXED BY time_entries_by_start
        WHERE b.organization_id = ?1 AND b.user_id = ?2 AND b.clock_in < ?4), ?4)
      AND w.clock_out > ?4
    ORDER BY w.clock_in
    """)
}
