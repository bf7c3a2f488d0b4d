import TimeclockDomain

/// A segment as the table keeps one.
package struct StoredSegment: Sendable {
  package var segment: Segment
  /// Its row; 0 for a new one.
  var number: Int64
  var user: UserKey
  var rows: SegmentRows
  /// The row of the work that a break goes back to.
  var resumes: Int64?

  package static let table = RecordTable<StoredSegment>(
    "segments", key: .numbered("segment_id"), number: "segment_id",
    fields: [
      .fixed("id", .identifier) { .identifier($0.segment.id) },
      .fixed("user_id", .integer) { .integer($0.user.value) },
      .field("start_time", .integer) { .instant($0.segment.startTime) },
      .field("end_time", .integer) { .optional($0.segment.endTime) },
      .field("time_entry_id", .identifier) { $0.segment.timeEntryID.map(RecordValue.identifier) ?? .null },
      .field("project_id", .integer) { .optional($0.rows.project) },
      .field("task_id", .integer) { .optional($0.rows.task) },
      .field("break_type_id", .integer) { .optional($0.rows.breakType) },
      .fixed("resumes", .integer) { .optional($0.resumes) },
      .field("is_paid", .bool) { .bool($0.segment.isPaid) },
      .field("billable", .bool) { .bool($0.segment.isBillable) },
      .field("name", .text) { .text($0.segment.name) },
      .field("tags", .text) { .optional(StoredTags.text($0.segment.tags)) },
      .field("time_zone", .text) { .text($0.segment.timeZone.name) },
      .fixed("source", .text) { .text($0.segment.source.rawValue) },
      .field("version", .integer) { .integer($0.segment.version) },
      .fixed("created_at", .integer) { .instant($0.segment.createdAt) },
      .field("updated_at", .integer) { .instant($0.segment.updatedAt) },
    ])
}

/// The rows of a segment's purpose.
struct SegmentRows: Hashable, Sendable {
  var project: Int64?
  var task: Int64?
  var breakType: Int64?
}

/// Tags as the column keeps them: each behind a new line, and one at the end, so that one is found with both around it.
package enum StoredTags {
  /// The text that the column contains if a tag is among them; nil for no tag.
  package static func pattern(_ tag: String?) -> String? { tag.map { "\n\($0)\n" } }

  /// Nil for no tags.
  static func text(_ tags: [String]) -> String? {
    tags.isEmpty ? nil : "\n" + tags.joined(separator: "\n") + "\n"
  }

  static func tags(_ text: String?) -> [String] {
    text?.unicodeScalars.split(separator: "\n").map { String(String.UnicodeScalarView($0)) } ?? []
  }
}

/// The statements that read segments.
package enum SegmentStatements {
  static let columns = RecordColumns(
    [
      ("segment_id", "s.segment_id"), ("organization", "o.id"), ("user", "u.id"), ("project", "p.id"),
      ("task", "t.id"), ("break_type", "b.id"),
    ] + StoredSegment.table.columns(of: "s"))
  static let tables = """
    FROM segments s JOIN organizations o ON o.organization_id = s.organization_id \
    JOIN users u ON u.user_id = s.user_id \
    LEFT JOIN projects p ON p.organization_id = s.organization_id AND p.project_id = s.project_id \
    LEFT JOIN tasks t ON t.organization_id = s.organization_id AND t.task_id = s.task_id \
    LEFT JOIN break_types b ON b.organization_id = s.organization_id AND b.break_type_id = s.break_type_id
    """

  /// The tables as SQLite reads them: the segments first, by an index, so that they come in its order.
  static func tables(by index: String?) -> String {
    tables.replacing(" JOIN organizations", with: " CROSS JOIN organizations")
      .replacing(" JOIN users", with: " CROSS JOIN users")
      .replacing("FROM segments s", with: "FROM segments s\(index.map { " INDEXED BY \($0)" } ?? "")")
  }

  /// A statement that reads segments of the organization `$1`, for `StoredSegment.init`.
  ///
  /// - Parameters:
  ///   - index: The index that SQLite takes.
  ///   - lock: The lock that PostgreSQL takes on the rows.
  static func statement(
    where condition: String, index: String? = nil, lock: String? = nil
  ) -> RecordStatement {
    let condition = "WHERE s.organization_id = $1 AND \(condition)"
    return RecordStatement(
      "\(tables) \(condition)", columns: columns, lock: lock, sqlite: "\(tables(by: index)) \(condition)")
  }

  static let byID = statement(where: "s.id = $2")
  /// Kept as it is until the transaction ends.
  static let byNumber = statement(where: "s.segment_id = $2", lock: "FOR SHARE OF s")
  static let open = statement(where: "s.user_id = $2 AND s.end_time IS NULL")
  /// The end of a member's last segment, which alone may be open.
  static let lastEnd = RecordStatement(
    "FROM segments WHERE organization_id = $1 AND user_id = $2 ORDER BY start_time DESC LIMIT 1",
    columns: RecordColumns("end_time"))
  static let ofEntry = statement(where: "s.time_entry_id = $2 ORDER BY s.start_time")

  /// A page of an organization's segments in the order of their ids, those behind `$2`, at most `$3`.
  package static let afterID = statement(where: "s.id > $2 ORDER BY s.id LIMIT $3")

  /// The first of a member's segments that share a moment with `[$3, $4)`, `$5` left out; at most `$6`. Of those that
  /// begin before the span only the last one can reach into it.
  static let overlapping = statement(
    where: """
      s.user_id = $2 AND s.start_time < $4 AND s.start_time >= coalesce((SELECT max(f.start_time) FROM segments f \
      WHERE f.organization_id = $1 AND f.user_id = $2 AND f.start_time <= $3), $3) \
      AND (s.end_time IS NULL OR s.end_time > $3) AND s.segment_id <> $5 ORDER BY s.start_time LIMIT $6
      """)
  static let overlappingCount = RecordStatement(
    """
    FROM segments s WHERE s.organization_id = $1 AND s.user_id = $2 AND s.start_time < $4 \
    AND s.start_time >= coalesce((SELECT max(f.start_time) FROM segments f \
    WHERE f.organization_id = $1 AND f.user_id = $2 AND f.start_time <= $3), $3) \
    AND (s.end_time IS NULL OR s.end_time > $3) AND s.segment_id <> $5
    """, columns: RecordColumns([("count", "count(*)")]))
}

extension StoredSegment {
  /// The segment in a row of `SegmentStatements`.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    number = row.integer("segment_id")
    let organizationID: OrganizationID = try row.identifier("organization")
    let userID: UserID = try row.identifier("user")
    let purpose = SegmentPurpose(
      projectID: try row.optionalIdentifier("project"), taskID: try row.optionalIdentifier("task"),
      breakTypeID: try row.optionalIdentifier("break_type"))
    let id: SegmentID = try row.identifier("id")
    user = UserKey(row.integer("user_id"))
    let startTime = row.instant("start_time")
    let endTime = row.optionalInstant("end_time")
    let timeEntryID: TimeEntryID? = try row.optionalIdentifier("time_entry_id")
    rows = SegmentRows(
      project: row.optionalInteger("project_id"), task: row.optionalInteger("task_id"),
      breakType: row.optionalInteger("break_type_id"))
    resumes = row.optionalInteger("resumes")
    segment = Segment(
      id: id, organizationID: organizationID, userID: userID, timeEntryID: timeEntryID, purpose: purpose,
      isPaid: row.bool("is_paid"), isBillable: row.bool("billable"), name: row.text("name"),
      tags: StoredTags.tags(row.optionalText("tags")), startTime: startTime, endTime: endTime,
      timeZone: try row.timeZone("time_zone"), source: try row.choice("source"),
      version: row.integer("version"), createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }
}
