import TimeclockDomain

/// A session of a timer as the table keeps one.
package struct StoredTimerSession: Sendable {
  var session: TimerSession
  /// The member's row.
  var user: UserKey

  package static let table = RecordTable<StoredTimerSession>(
    "timer_sessions", key: .numbered("timer_session_id"), number: "timer_session_id",
    unlessThereBy: ["organization_id", "user_id", "start_time", "type"],
    fields: [
      .fixed("id", .identifier) { .identifier($0.session.id) },
      .fixed("user_id", .integer) { .integer($0.user.value) },
      .fixed("type", .text) { .text($0.session.type.rawValue) },
      .fixed("start_time", .integer) { .instant($0.session.startTime) },
      .fixed("end_time", .integer) { .instant($0.session.endTime) },
      .fixed("minutes", .integer) { .integer($0.session.durationMinutes) },
      .fixed("interruption_minutes", .integer) { .integer($0.session.interruptionsMinutes) },
      .fixed("seconds", .integer) { .integer($0.session.seconds) },
      .field("label", .text) { .optional($0.session.label) },
      .field("project_id", .identifier) { $0.session.projectID.map(RecordValue.identifier) ?? .null },
      .field("task_id", .identifier) { $0.session.taskID.map(RecordValue.identifier) ?? .null },
      .fixed("outcome", .text) { .text($0.session.outcome.rawValue) },
      .field("notes", .text) { .optional($0.session.notes?.text) },
      .field("archived", .bool) { .bool($0.session.isArchived) },
      .fixed("created_at", .integer) { .instant($0.session.createdAt) },
    ])
}

extension TimerSession {
  /// The session in a row of `TimerSessionRows`.
  init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), type: try row.choice("type"), startTime: row.instant("start_time"),
      endTime: row.instant("end_time"), durationMinutes: row.integer("minutes"),
      interruptionsMinutes: row.integer("interruption_minutes"), seconds: row.integer("seconds"),
      label: row.optionalText("label"), projectID: try row.optionalIdentifier("project"),
      taskID: try row.optionalIdentifier("task"), outcome: try row.choice("outcome"),
      notes: row.optionalText("notes").map(Notes.init(stored:)), isArchived: row.bool("archived"),
      createdAt: row.instant("created_at"))
  }
}

/// The place of a session in a member's list, as a cursor has it: no two of them begin at once with the same type.
enum TimerSessionPlace {
  /// In the order of the texts.
  private static let types = TimerType.allCases.sorted { $0.rawValue < $1.rawValue }

  static func cursor(_ session: TimerSession) -> Int64 {
    let rank = types.firstIndex(of: session.type) ?? 0
    return session.startTime.millisecondsSince1970 * Int64(types.count) + Int64(rank)
  }

  /// The values of the start and the type behind which a page begins.
  static func values(_ cursor: RowCursor?) -> [RecordValue] {
    guard let row = cursor?.row else { return [.integer(.max), .text("")] }
    let (start, rank) = row.quotientAndRemainder(dividingBy: Int64(types.count))
    // No instant before 1970 is a session's, but a client may have made up the cursor.
    return [.integer(start), .text(types[Int(abs(rank))].rawValue)]
  }
}

/// The statements on sessions of timers. `$1` is the organization, and `$2` the member.
enum TimerSessionRows {
  private static let columns = RecordColumns(
    [("timer_session_id", "s.timer_session_id")] + StoredTimerSession.table.columns(of: "s")
      + [("project", "p.id"), ("task", "k.id")])

  /// Of a project or a task that is gone nothing is shown, for neither keeps the session.
  private static let work = """
    LEFT JOIN projects p ON p.organization_id = s.organization_id AND p.id = s.project_id \
    LEFT JOIN tasks k ON k.organization_id = s.organization_id AND k.id = s.task_id
    """

  private static let row = """
    FROM timer_sessions s \(work) WHERE s.organization_id = $1 AND s.user_id = $2 AND s.id = $3
    """

  static let one = RecordStatement(row, columns: columns)
  static let locked = RecordStatement(row, columns: columns, lock: "FOR NO KEY UPDATE OF s")

  /// The sessions that begin from `$3` on and before `$4`, behind the place `$5`, `$6`, the newest first, at most `$7`.
  static let page = RecordStatement(
    """
    FROM timer_sessions s \(work) WHERE s.organization_id = $1 AND s.user_id = $2 AND s.start_time >= $3 \
    AND s.start_time < $4 AND (s.start_time, s.type) < ($5, $6) ORDER BY s.start_time DESC, s.type DESC LIMIT $7
    """, columns: columns,
    sqlite: """
      FROM timer_sessions s INDEXED BY timer_sessions_once \(work) WHERE s.organization_id = $1 AND s.user_id = $2 \
      AND s.start_time >= $3 AND s.start_time < $4 AND (s.start_time, s.type) < ($5, $6) \
      ORDER BY s.start_time DESC, s.type DESC LIMIT $7
      """)

  static let delete = RecordStatement(
    "DELETE FROM timer_sessions WHERE organization_id = $1 AND user_id = $2 AND id = $3",
    returning: RecordColumns("timer_session_id"))

  /// Deletes the first that began before `$3`, at most `$4`.
  static let deleteFirst = RecordStatement(
    """
    DELETE FROM timer_sessions WHERE ctid = ANY (ARRAY(SELECT ctid FROM timer_sessions \
    WHERE organization_id = $1 AND user_id = $2 AND start_time < $3 ORDER BY start_time LIMIT $4))
    """,
    returning: RecordColumns("timer_session_id"),
    sqlite: """
      DELETE FROM timer_sessions WHERE timer_session_id IN (SELECT timer_session_id FROM timer_sessions \
      WHERE organization_id = $1 AND user_id = $2 AND start_time < $3 ORDER BY start_time LIMIT $4)
      """)

  /// Deletes sessions older at `$1` than their organization keeps them, at most `$2`. Behind row-level security an
  /// index is searched for plain comparisons only: the moment is a column, which OFFSET keeps PostgreSQL from putting
  /// its calculation in place of (docs/decisions/0015-row-level-security.md).
  static let deleteExpired = RecordStatement(
    """
    DELETE FROM timer_sessions WHERE ctid = ANY (ARRAY(SELECT e.ctid FROM (SELECT organization_id, \
    $1 - timer_session_days * 86400000 AS before FROM organizations \
    WHERE organization_id > $3 AND organization_id <= $4 OFFSET 0) o CROSS JOIN LATERAL ( \
    SELECT ctid FROM timer_sessions s WHERE s.organization_id = o.organization_id AND s.end_time < o.before \
    LIMIT $2) e LIMIT $2))
    """,
    returning: RecordColumns("timer_session_id"),
    sqlite: """
      DELETE FROM timer_sessions WHERE timer_session_id IN (SELECT s.timer_session_id FROM organizations o \
      CROSS JOIN timer_sessions s INDEXED BY timer_sessions_by_end ON s.organization_id = o.organization_id \
      AND s.end_time < $1 - o.timer_session_days * 86400000 \
      WHERE o.organization_id > $3 AND o.organization_id <= $4 LIMIT $2)
      """, across: .timersEnd)
}
