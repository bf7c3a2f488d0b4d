import Procedures
import TimeclockDomain

/// Reads the segments of a report's entries.
struct WorkedSegmentRows {
  let connection: SQLiteConnection
  let query: WorkedTimeQuery
  /// A day before the span of the query: entries that are not longer begin later, and so do their segments.
  let dayBefore: Instant

  func segments(of entries: [WorkedEntry]) throws -> [WorkedSegment] {
    guard let texts = Texts.of(query) else { return [] }
    var segments: [WorkedSegment] = []
    let organization = SQLiteValue.integer(query.organization.value)
    let tag = SQLiteValue.optional(StoredTags.pattern(query.segments.tag))
    let end = query.beginningBefore
    let span = [organization, tag, .instant(dayBefore), .instant(end)]
    try connection.statement(texts.walk).forEach(span + (query.members.row.map { [.integer($0)] } ?? [])) {
      row in
      segments.append(try Self.segment(row))
    }
    for entry in entries {
      // The parts of the entry that lie outside of the span.
      var rests: [(Instant, Instant)] = []
      if entry.clockIn < dayBefore { rests.append((entry.clockIn, dayBefore)) }
      if entry.clockOut.map({ $0 > end }) ?? true { rests.append((end, entry.clockOut ?? .latest)) }
      for (start, end) in rests {
        let values = [organization, tag, .instant(start), .instant(end), .integer(entry.user.value)]
        try connection.statement(texts.ofMember).forEach(values) { row in
          segments.append(try Self.segment(row))
        }
      }
    }
    return segments
  }

  private static func segment(_ row: SQLiteRow) throws -> WorkedSegment {
    WorkedSegment(
      user: UserKey(row.integer(0)), start: row.instant(1), end: row.optionalInstant(2),
      traits: WorkedSegmentTraits(rawValue: row.integer(3)), project: row.optionalInteger(5),
      task: row.optionalInteger(6), breakType: row.optionalInteger(7), entryID: try row.optionalIdentifier(4))
  }

  func purposes() throws -> ReportedPurposes {
    var purposes = ReportedPurposes()
    guard query.segments != .none else { return purposes }
    let organization = [SQLiteValue.integer(query.organization.value)]
    try connection.statement(Self.expectedBreaks).forEach(organization) { row in
      purposes.expectedBreaks[row.integer(0)] = row.integer(1)
    }
    guard case .all = query.segments else { return purposes }
    try connection.statement(Self.projects).forEach(organization) { row in
      purposes.projects[row.integer(0)] = ReportedProject(
        id: try row.identifier(1), name: row.text(2), color: row.text(3), client: row.optionalText(4))
    }
    try connection.statement(Self.tasks).forEach(organization) { row in
      purposes.tasks[row.integer(0)] = ReportedTask(id: try row.identifier(1), name: row.text(2))
    }
    return purposes
  }

  /// The statements of one kind of query.
  private struct Texts {
    /// The segments that begin in a span, by the ways of selecting members.
    let walks: [SQLiteText]

    private init(_ index: String, _ condition: String = "") {
      let text = """
        SELECT s.user_id, s.start_time, s.end_time,
          s.is_paid + 2 * s.billable + 4 * coalesce(instr(s.tags, ?2) > 0, 0),
          CASE WHEN s.break_type_id IS NOT NULL THEN s.time_entry_id END, s.project_id, s.task_id, s.break_type_id
        FROM members m CROSS JOIN segments s INDEXED BY \(index)
          ON s.organization_id = m.organization_id AND s.user_id = m.user_id
          AND s.start_time >= ?3 AND s.start_time < ?4 \(condition)
        WHERE m.organization_id = ?1 AND s.time_entry_id IS NOT NULL
        """
      walks = MemberSelection.Way.allCases.map {
        SQLiteText(text + $0.condition(on: "m.user_id", organization: "?1", row: "?5"))
      }
    }

    private static let all = Texts("segments_by_start")
    private static let breaks = Texts("segments_of_breaks", "AND s.break_type_id IS NOT NULL")

    /// Nil if no segments are asked for.
    static func of(_ query: WorkedTimeQuery) -> (walk: SQLiteText, ofMember: SQLiteText)? {
      let texts: Texts
      switch query.segments {
      case .none: return nil
      case .breaks: texts = breaks
      case .all: texts = all
      }
      let ofMember = texts.walks[MemberSelection.Way.member.rawValue]
      return (texts.walks[query.members.way.rawValue], ofMember)
    }
  }

  private static let expectedBreaks = SQLiteText(
    """
    SELECT break_type_id, expected_seconds FROM break_types WHERE organization_id = ?1 AND expected_seconds IS NOT NULL
    """)
  private static let projects = SQLiteText(
    "SELECT project_id, id, name, color, client FROM projects WHERE organization_id = ?1")
  private static let tasks = SQLiteText("SELECT task_id, id, name FROM tasks WHERE organization_id = ?1")
}
