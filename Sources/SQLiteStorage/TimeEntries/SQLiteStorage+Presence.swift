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
  /// Whether too many members are clocked in for an event loop to scan their entries, which no index has in the order
  /// of clock-ins.
  static func areMany(_ organization: OrganizationKey, on connection: SQLiteConnection) throws -> Bool {
    try connection.statement(thousandth).first([.integer(organization.value)]) { _ in true } ?? false
  }

  static func page(
    _ query: PresenceQuery, _ limit: Int, on connection: SQLiteConnection
  ) throws -> Page<PresentMember, PresenceCursor> {
    let cursor = query.cursor ?? .beginning
    var rows = try connection.statement(members[query.members.way.rawValue]).all(
      [
        .integer(query.organization.value), .instant(cursor.clockInTime), .identifier(cursor.timeEntryID),
        .integer(query.beginningFrom?.millisecondsSince1970 ?? .min),
        .integer(query.beginningBefore?.millisecondsSince1970 ?? .max), PageLimit.rows(limit),
      ] + (query.members.row.map { [.integer($0)] } ?? [])
    ) { row in
      (
        user: row.integer(0),
        member: PresentMember(
          userID: try row.identifier(1), name: row.text(2), timeZone: try row.optionalTimeZone(3),
          timeEntryID: try row.identifier(4), clockInTime: row.instant(5),
          sessionID: try row.optionalIdentifier(6), source: try row.choice(7),
          segment: try runningSegment(row), worked: [], breaks: [])
      )
    }
    let hasMore = rows.count > limit
    rows.removeLast(rows.count - min(rows.count, limit))
    let members = try rows.map { row in
      var member = row.member
      try connection.statement(spans).forEach([
        .integer(query.organization.value), .integer(row.user), .instant(member.clockInTime),
        .instant(query.workedSince),
      ]) { row in
        let span = EndedSpan(start: row.instant(0), end: row.instant(1))
        if row.bool(2) { member.breaks.append(span) } else { member.worked.append(span) }
      }
      return member
    }
    return Page(elements: members, next: hasMore ? members.last?.cursor : nil)
  }

  private static func runningSegment(_ row: SQLiteRow) throws -> RunningSegment? {
    guard let id: SegmentID = try row.optionalIdentifier(8) else { return nil }
    let purpose = SegmentPurpose(
      projectID: try row.optionalIdentifier(11), taskID: try row.optionalIdentifier(12),
      breakTypeID: try row.optionalIdentifier(13))
    return RunningSegment(id: id, purpose: purpose, name: row.text(9), startTime: row.instant(10))
  }

  private static let thousandth = SQLiteText(
    """
    SELECT 1 FROM time_entries INDEXED BY time_entries_one_active
    WHERE organization_id = ?1 AND clock_out IS NULL LIMIT 1 OFFSET 1000
    """)

  /// By the ways of selecting members.
  private static let members = MemberSelection.Way.allCases.map { way in
    SQLiteText(
      """
      SELECT e.user_id, u.id, m.name, m.time_zone, e.id, e.clock_in,
        (SELECT s.id FROM sessions s WHERE s.session_id = e.session_id), e.source,
        r.id, r.name, r.start_time, p.id, t.id, b.id
      FROM (
        SELECT organization_id, user_id, id, clock_in, session_id, source
        FROM time_entries INDEXED BY time_entries_one_active
        WHERE organization_id = ?1 AND clock_out IS NULL AND (clock_in, id) > (?2, ?3)
          AND clock_in >= ?4 AND clock_in < ?5
          \(way.condition(on: "user_id", organization: "?1", row: "?7")) ORDER BY clock_in, id LIMIT ?6) e
      CROSS JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
      CROSS JOIN users u ON u.user_id = e.user_id
      LEFT JOIN segments r INDEXED BY segments_one_open
        ON r.organization_id = e.organization_id AND r.user_id = e.user_id AND r.end_time IS NULL
      LEFT JOIN projects p ON p.project_id = r.project_id
      LEFT JOIN tasks t ON t.task_id = r.task_id
      LEFT JOIN break_types b ON b.break_type_id = r.break_type_id
      ORDER BY e.clock_in, e.id
      """)
  }

  /// A member's closed entries and breaks that ended after an instant: those that began after it, and of each the last one
  /// before it. The entries stand before the active one, because a member's entries never overlap, as segments never do.
  private static let spans = SQLiteText(
    """
    SELECT w.clock_in, w.clock_out, 0 FROM time_entries w INDEXED BY time_entries_by_start
    WHERE w.organization_id = ?1 AND w.user_id = ?2 AND w.clock_in < ?3
      AND w.clock_in >= coalesce((SELECT max(b.clock_in) FROM time_entries b INDEXED BY time_entries_by_start
        WHERE b.organization_id = ?1 AND b.user_id = ?2 AND b.clock_in < ?4), ?4)
      AND w.clock_out > ?4
    UNION ALL
    SELECT s.start_time, s.end_time, 1 FROM segments s INDEXED BY segments_by_start
    WHERE s.organization_id = ?1 AND s.user_id = ?2 AND s.break_type_id IS NOT NULL
      AND s.start_time >= coalesce((SELECT max(f.start_time) FROM segments f INDEXED BY segments_by_start
        WHERE f.organization_id = ?1 AND f.user_id = ?2 AND f.start_time < ?4), ?4)
      AND s.end_time > ?4
    """)
}
