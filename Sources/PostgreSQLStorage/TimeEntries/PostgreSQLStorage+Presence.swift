import TimeclockDomain

extension PostgreSQLStorage {
  package func presence(_ query: PresenceQuery) async throws -> Page<PresentMember, PresenceCursor> {
    let limit = PageLimit.clamped(query.limit)
    let cursor = query.cursor ?? .beginning
    var values: [PostgreSQLValue] = [
      .integer(query.organization.value), .instant(cursor.clockInTime), .identifier(cursor.timeEntryID),
      .integer(query.beginningFrom?.millisecondsSince1970 ?? .min),
      .integer(query.beginningBefore?.millisecondsSince1970 ?? .max), PageLimit.rows(limit),
      .instant(query.workedSince),
    ]
    if let row = query.members.row { values.append(.integer(row)) }
    let rows = try await read(
      PresenceRows.pages[query.members.way.rawValue], values, in: .organization(query.organization))
    // A member has one row for each closed entry and each break, or one row without.
    var members: [PresentMember] = []
    for (member, span) in try rows.map({ (member: try $0.presentMember(), span: $0.endedSpan()) }) {
      if members.last?.timeEntryID != member.timeEntryID { members.append(member) }
      guard let span else { continue }
      let place = members.count - 1
      if span.isBreak {
        members[place].breaks.append(span.times)
      } else {
        members[place].worked.append(span.times)
      }
    }
    let shown = members.prefix(limit)
    return Page(elements: Array(shown), next: members.count > shown.count ? shown.last?.cursor : nil)
  }
}

/// The statement on members that are clocked in.
enum PresenceRows {
  private static let firstDate = TimeEntryRows.firstDate(
    organization: "e.organization_id", user: "e.user_id", instant: "$7::bigint")

  /// The members of a page, each with every closed entry and every break that ended after `$7`. The closed entries stand
  /// before the active one, because a member's entries never overlap; as segments never do, of those that began before
  /// `$7` only the last one may have ended after it.
  /// By the ways of selecting members.
  static let pages = MemberSelection.Way.allCases.map { way in
    PostgreSQLStatement(
      """
      SELECT u.id, m.name, m.time_zone, e.id, e.clock_in, \
      (SELECT s.id FROM sessions s WHERE s.organization_id = e.organization_id AND s.session_id = e.session_id), \
      spans.start_time, spans.end_time, spans.is_break, e.source, \
      r.id, r.name, r.start_time, p.id, t.id, b.id \
      FROM (SELECT e.organization_id, e.user_id, e.id, e.clock_in, e.session_id, e.source, \(firstDate) AS first_date \
      FROM time_entries e \
      WHERE e.organization_id = $1 AND e.clock_out IS NULL AND (e.clock_in, e.id) > ($2, $3) \
      AND e.clock_in >= $4 AND e.clock_in < $5\(way.condition(on: "e.user_id", row: "$8")) ORDER BY e.clock_in, e.id LIMIT $6) e \
      JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id \
      JOIN users u ON u.user_id = e.user_id \
      LEFT JOIN segments r ON r.organization_id = e.organization_id AND r.user_id = e.user_id AND r.end_time IS NULL \
      LEFT JOIN projects p ON p.organization_id = r.organization_id AND p.project_id = r.project_id \
      LEFT JOIN tasks t ON t.organization_id = r.organization_id AND t.task_id = r.task_id \
      LEFT JOIN break_types b ON b.organization_id = r.organization_id AND b.break_type_id = r.break_type_id \
      LEFT JOIN LATERAL (\
      SELECT w.clock_in AS start_time, w.clock_out AS end_time, false AS is_break FROM time_entries w \
      WHERE w.organization_id = e.organization_id AND w.user_id <= e.user_id \
      AND (w.user_id, w.date) >= (e.user_id, e.first_date) \
      AND int8range(w.clock_in, w.clock_out) && int8range($7, greatest($7, e.clock_in)) \
      UNION ALL SELECT w.start_time, w.end_time, true FROM segments w \
      WHERE w.organization_id = e.organization_id AND w.user_id = e.user_id AND w.break_type_id IS NOT NULL \
      AND w.start_time >= coalesce((SELECT max(f.start_time) FROM segments f \
      WHERE f.organization_id = e.organization_id AND f.user_id = e.user_id AND f.start_time < $7), $7) \
      AND w.end_time > $7) spans ON TRUE \
      ORDER BY e.clock_in, e.id
      """)
  }
}

extension PostgreSQLRow {
  fileprivate func presentMember() throws -> PresentMember {
    PresentMember(
      userID: try identifier(0), name: text(1), timeZone: try optionalTimeZone(2),
      timeEntryID: try identifier(3), clockInTime: instant(4), sessionID: try optionalIdentifier(5),
      source: try choice(9), segment: try runningSegment(), worked: [], breaks: [])
  }

  fileprivate func endedSpan() -> (times: EndedSpan, isBreak: Bool)? {
    guard let end = optionalInstant(7) else { return nil }
    return (EndedSpan(start: instant(6), end: end), bool(8))
  }

  private func runningSegment() throws -> RunningSegment? {
    guard let id: SegmentID = try optionalIdentifier(10) else { return nil }
    let purpose = SegmentPurpose(
      projectID: try optionalIdentifier(13), taskID: try optionalIdentifier(14),
      breakTypeID: try optionalIdentifier(15))
    return RunningSegment(id: id, purpose: purpose, name: text(11), startTime: instant(12))
  }
}
