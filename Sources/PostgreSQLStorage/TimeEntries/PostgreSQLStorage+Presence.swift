import TimeclockDomain

extension PostgreSQLStorage {
  package func presence(_ query: PresenceQuery) async throws -> Page<PresentMember, PresenceCursor> {
    let limit = PageLimit.clamped(query.limit)
    let cursor = query.cursor ?? .beginning
    let rows = try await read(
      PresenceRows.page,
      [
        .integer(query.organization.value), .instant(cursor.clockInTime), .identifier(cursor.timeEntryID),
        .integer(query.beginningFrom?.millisecondsSince1970 ?? .min),
        .integer(query.beginningBefore?.millisecondsSince1970 ?? .max), PageLimit.rows(limit),
        .instant(query.workedSince),
      ], in: .organization(query.organization))
    // A member has one row for each closed entry, or one row without.
    var members: [PresentMember] = []
    for (member, span) in try rows.map({ (member: try $0.presentMember(), span: $0.workedSpan()) }) {
      if members.last?.timeEntryID != member.timeEntryID { members.append(member) }
      if let span { members[members.count - 1].worked.append(span) }
    }
    let shown = members.prefix(limit)
    return Page(elements: Array(shown), next: members.count > shown.count ? shown.last?.cursor : nil)
  }
}

/// The statement on members that are clocked in.
enum PresenceRows {
  private static let firstDate = TimeEntryRows.firstDate(
    organization: "e.organization_id", user: "e.user_id", instant: "$7::bigint")

  /// The members of a page, each with every closed entry that ended after `$7`. The closed entries stand before the
  /// active one, because a member's entries never overlap.
  static let page = PostgreSQLStatement(
    """
    SELECT u.id, m.name, m.time_zone, e.id, e.clock_in, \
    (SELECT s.id FROM sessions s WHERE s.organization_id = e.organization_id AND s.session_id = e.session_id), \
    worked.clock_in, worked.clock_out \
    FROM (SELECT e.organization_id, e.user_id, e.id, e.clock_in, e.session_id, \(firstDate) AS first_date FROM time_entries e \
    WHERE e.organization_id = $1 AND e.clock_out IS NULL AND (e.clock_in, e.id) > ($2, $3) \
    AND e.clock_in >= $4 AND e.clock_in < $5 ORDER BY e.clock_in, e.id LIMIT $6) e \
    JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id \
    JOIN users u ON u.user_id = e.user_id \
    LEFT JOIN LATERAL (SELECT w.clock_in, w.clock_out FROM time_entries w \
    WHERE w.organization_id = e.organization_id AND w.user_id <= e.user_id \
    AND (w.user_id, w.date) >= (e.user_id, e.first_date) \
    AND int8range(w.clock_in, w.clock_out) && int8range($7, greatest($7, e.clock_in))) worked ON TRUE \
    ORDER BY e.clock_in, e.id
    """)
}

extension PostgreSQLRow {
  fileprivate func presentMember() throws -> PresentMember {
    PresentMember(
      userID: try identifier(0), name: text(1), timeZone: try optionalTimeZone(2),
      timeEntryID: try identifier(3), clockInTime: instant(4), sessionID: try optionalIdentifier(5),
      worked: [])
  }

  fileprivate func workedSpan() -> WorkedSpan? {
    guard let end = optionalInstant(7) else { return nil }
    return WorkedSpan(start: instant(6), end: end)
  }
}
