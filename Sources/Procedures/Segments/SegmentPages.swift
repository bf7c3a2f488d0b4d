import TimeclockDomain

/// The statements for the pages of a list of segments that is looked up by an owner or a purpose; other filters are
/// checked row by row.
struct SegmentPages: Sendable {
  static let ofEverybody = SegmentPages(by: nil, index: "segments_by_time")
  static let ofMember = SegmentPages(by: "user_id", index: "segments_by_start")
  /// Those of a group, or of the members whom a manager sees.
  static func ofSeveral(_ members: MemberSelection.Way) -> SegmentPages { several[members.rawValue] }
  static let ofProject = SegmentPages(by: "project_id", index: "segments_of_project")
  static let ofTask = SegmentPages(by: "task_id", index: "segments_of_task")

  private static let several = MemberSelection.Way.allCases.map {
    SegmentPages(by: nil, index: "segments_by_time", of: $0)
  }

  /// The segments that begin in the span.
  let beginning: RecordStatement
  /// The segments that share a moment with the span. Those that begin before it are the last ones of the list, and at most
  /// one of each member, because a member's never overlap. So the walk goes on to the first of these, and only the last page
  /// walks there.
  let overlapping: RecordStatement

  /// - Parameters:
  ///   - lead: The column of the owner or the purpose; nil for all of the organization.
  ///   - index: The index that SQLite takes.
  ///   - members: The way of selecting owners where no column leads.
  private init(by lead: String?, index: String, of members: MemberSelection.Way = .everybody) {
    let isOfMember = lead == "user_id"
    beginning = Self.page(by: lead, index, of: members, from: ("s.start_time >= $3", "s.start_time >= $3"))
    overlapping = Self.page(
      by: lead, index, of: members, from: isOfMember ? Self.fromLastOfMember : Self.fromFirstOfLasts)
  }

  /// The condition on the start, for PostgreSQL and for SQLite.
  private typealias Start = (postgresql: String, sqlite: String)

  private static let reaches = "AND (s.end_time IS NULL OR s.end_time > $3)"

  /// From the last segment of the member on that begins at the span's beginning or before.
  private static let fromLastOfMember: Start = {
    let condition = """
      s.start_time >= coalesce((SELECT max(f.start_time) FROM segments f \
      WHERE f.organization_id = $1 AND f.user_id = $2 AND f.start_time <= $3), $3) \(reaches)
      """
    return (condition, condition)
  }()

  /// From the first segment on that reaches into the span, out of the last ones of all members before it.
  private static let fromFirstOfLasts: Start = (
    """
    s.start_time >= coalesce((SELECT min(f.start_time) FROM members m CROSS JOIN LATERAL ( \
    SELECT b.start_time, b.end_time FROM segments b WHERE b.organization_id = $1 AND b.user_id = m.user_id \
    AND b.start_time < $3 ORDER BY b.start_time DESC LIMIT 1) f \
    WHERE m.organization_id = $1 AND (f.end_time IS NULL OR f.end_time > $3)), $3) \(reaches)
    """,
    """
    s.start_time >= coalesce((SELECT min(f.start_time) FROM members m \
    CROSS JOIN segments f INDEXED BY segments_by_start ON f.organization_id = $1 AND f.user_id = m.user_id \
    AND f.start_time = (SELECT max(b.start_time) \
    FROM segments b INDEXED BY segments_by_start WHERE b.organization_id = $1 AND b.user_id = m.user_id \
    AND b.start_time < $3) \
    WHERE m.organization_id = $1 AND (f.end_time IS NULL OR f.end_time > $3)), $3) \(reaches)
    """
  )

  private static func page(
    by lead: String?, _ index: String, of members: MemberSelection.Way, from start: Start
  ) -> RecordStatement {
    let test = members.test(on: "s.user_id", row: "$2")
    let noLead = " AND " + (test ?? "CAST($2 AS bigint) IS NULL")
    // SQLite walks the list's index in its order only if it expects to find enough.
    let noLeadOfSQLite = " AND " + (test.map { "likelihood(\($0), 1.0)" } ?? "$2 IS NULL")
    return RecordStatement(
      """
      \(SegmentStatements.tables) WHERE s.organization_id = $1\
      \(lead.map { " AND s.\($0) = $2" } ?? noLead) \
      AND \(start.postgresql) AND s.start_time < $4 \
      AND (s.start_time < $5 OR (s.start_time = $5 AND s.segment_id < $6)) \
      AND (CAST($7 AS bigint) IS NULL OR s.project_id = $7) AND (CAST($8 AS bigint) IS NULL OR s.task_id = $8) \
      AND (CAST($9 AS text) IS NULL OR (s.break_type_id IS NOT NULL) = ($9 = 'break')) \
      AND (CAST($10 AS text) IS NULL OR strpos(s.tags, $10) > 0) \
      ORDER BY s.start_time DESC, s.segment_id DESC LIMIT $11
      """, columns: SegmentStatements.columns,
      sqlite: """
        \(SegmentStatements.tables(by: index)) WHERE s.organization_id = $1\
        \(lead.map { " AND s.\($0) = $2" } ?? noLeadOfSQLite) \
        AND \(start.sqlite) AND s.start_time < $4 AND s.start_time <= $5 \
        AND (s.start_time < $5 OR s.segment_id < $6) \
        AND ($7 IS NULL OR s.project_id = $7) AND ($8 IS NULL OR s.task_id = $8) \
        AND ($9 IS NULL OR (s.break_type_id IS NOT NULL) = ($9 = 'break')) \
        AND ($10 IS NULL OR instr(s.tags, $10) > 0) \
        ORDER BY s.start_time DESC\(lead == "user_id" ? "" : ", s.segment_id DESC") LIMIT $11
        """)
  }
}
