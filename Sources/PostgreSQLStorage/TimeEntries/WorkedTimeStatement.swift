import TimeclockDomain

/// The statement that reads the entries of a report, and their segments if it needs them: one, for entries and segments
/// are to be of one moment. It takes the organization, the bounds of the span, and a day before the span; then the
/// pattern of a tag if it looks for one; then a member, a group or its manager.
struct WorkedTimeStatement {
  var segments: Segments
  var hasDetails: Bool
  var hasIDs: Bool
  var members: MemberSelection.Way

  enum Segments: Int, CaseIterable {
    case none, breaks, all
    /// All, and whether each has the tag: which no index knows, so that every row has to be read.
    case allWithTag
  }

  init(_ query: WorkedTimeQuery) {
    switch query.segments {
    case .none: segments = .none
    case .breaks: segments = .breaks
    case .all(tag: nil): segments = .all
    case .all: segments = .allWithTag
    }
    hasDetails = query.hasDetails
    hasIDs = query.hasIDs
    members = query.members.way
  }

  private init(place: Int) {
    segments = Segments.allCases[place / (4 * Self.ways)]
    hasDetails = place % 4 >= 2
    hasIDs = place % 2 != 0
    members = MemberSelection.Way.allCases[place / 4 % Self.ways]
  }

  /// The place among `all`.
  var place: Int {
    segments.rawValue * 4 * Self.ways + members.rawValue * 4 + (hasDetails ? 2 : 0) + (hasIDs ? 1 : 0)
  }

  private static let ways = MemberSelection.Way.allCases.count
  static let all = (0..<4 * ways * Segments.allCases.count).map { PostgreSQLStatement(Self(place: $0).text) }

  private var text: String {
    guard segments != .none else { return entries }
    return """
      \(entries) UNION ALL \(segmentsThatBegin) \
      UNION ALL \(segmentsOfLongEntries) UNION ALL \(segmentsAfterTheSpan)
      """
  }

  private func members(_ column: String) -> String {
    members.condition(on: column, row: segments == .allWithTag ? "$6" : "$5")
  }

  private var entries: String {
    var columns = "SELECT e.user_id, e.clock_in, e.clock_out, e.flags, "
    columns += hasIDs ? "e.id" : "CASE WHEN e.flags <> 0 OR e.clock_out IS NULL THEN e.id END"
    if hasDetails {
      columns += ", e.session_id, e.source"
    } else if segments != .none {
      columns += ", NULL::bigint, NULL::text"
    }
    if segments != .none { columns += ", false, NULL::bigint, NULL::bigint, NULL::bigint" }
    return Self.select(columns, members("e.user_id"))
  }

  /// Entries that end after `$2` and begin before `$3`: those that last a day at most begin after `$4`, a day before
  /// `$2`; the others are found by an index of their own.
  static func select(_ columns: String, _ condition: String) -> String {
    let span = "(e.clock_out IS NULL OR e.clock_out > $2) AND e.clock_in < $3\(condition)"
    return """
      \(columns) FROM time_entries e WHERE e.organization_id = $1 AND e.clock_in >= $4 AND \(span) \
      UNION ALL \(columns) FROM time_entries e WHERE e.organization_id = $1 AND e.clock_in < $4 \
      AND (e.clock_out IS NULL OR e.clock_out - e.clock_in > 86400000) AND \(span)
      """
  }

  private var segmentColumns: String {
    """
    SELECT s.user_id, s.start_time, s.end_time, (s.is_paid::int + 2 * s.billable::int\
    \(segments == .allWithTag ? " + 4 * coalesce(strpos(s.tags, $5) > 0, false)::int" : ""))::bigint, \
    CASE WHEN s.break_type_id IS NOT NULL THEN s.time_entry_id END, NULL::bigint, NULL::text, true, \
    s.project_id, s.task_id, s.break_type_id
    """
  }

  private var ofSegments: String {
    "s.organization_id = $1" + (segments == .breaks ? " AND s.break_type_id IS NOT NULL" : "")
      + members("s.user_id")
  }

  /// Most of the segments: an entry that lasts a day at most has none that begins before `$4`. Without a tag they are read out
  /// of `segments_by_time` alone.
  private var segmentsThatBegin: String {
    """
    \(segmentColumns) FROM segments s WHERE \(ofSegments) AND s.time_entry_id IS NOT NULL \
    AND s.start_time >= $4 AND s.start_time < $3
    """
  }

  private var ofEntries: String {
    """
    \(segmentColumns) FROM time_entries e JOIN segments s \
    ON s.organization_id = e.organization_id AND s.time_entry_id = e.id WHERE \(ofSegments) \
    AND e.organization_id = $1\(members("e.user_id")) AND e.clock_in < $3
    """
  }

  private var segmentsOfLongEntries: String {
    """
    \(ofEntries) AND (e.clock_out IS NULL OR e.clock_out - e.clock_in > 86400000) \
    AND (e.clock_out IS NULL OR e.clock_out > $2) AND (s.start_time < $4 OR s.start_time >= $3)
    """
  }

  private var segmentsAfterTheSpan: String {
    """
    \(ofEntries) AND e.clock_in >= $3 - 86400000 AND e.clock_out > $3 AND e.clock_out - e.clock_in <= 86400000 \
    AND s.start_time >= $3
    """
  }
}
