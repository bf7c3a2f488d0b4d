import TimeclockDomain

extension MemberTimer {
  /// The table of timers, a row for each member who has ever had one.
  package static let table = RecordTable<MemberTimer>(
    "timers", key: .known("user_id"), isUnlessThere: true,
    fields: [
      .field("state", .text) { .text($0.state.rawValue) },
      .field("id", .identifier) { $0.active.map { .identifier($0.id) } ?? .null },
      .field("type", .text) { .optional($0.active?.type.rawValue) },
      .field("start_time", .integer) { .optional($0.active?.startTime) },
      .field("end_time", .integer) { .optional($0.active?.endTime) },
      .field("last_start_time", .integer) { .optional($0.active?.lastStartTime) },
      .field("paused_since", .integer) { .optional($0.active?.pausedSince) },
      .field("paused_by_background", .bool) { .optional($0.active?.isPausedByBackground) },
      .field("finished_at", .integer) { .optional($0.active?.finishedAt) },
      .field("paused_time", .integer) { .optional($0.active?.pausedMilliseconds) },
      .field("original_time", .integer) { .optional($0.active?.originalMilliseconds) },
      .field("adjusted_time", .integer) { .optional($0.active?.adjustedMilliseconds) },
      .field("was_adjusted", .bool) { .optional($0.active?.wasAdjusted) },
      .field("pauses_in_background", .bool) { .optional($0.active?.pausesInBackground) },
      .field("background_since", .integer) { .optional($0.active?.backgroundSince) },
      .field("label", .text) { .optional($0.active?.label) },
      .field("project_id", .identifier) { $0.active?.projectID.map(RecordValue.identifier) ?? .null },
      .field("task_id", .identifier) { $0.active?.taskID.map(RecordValue.identifier) ?? .null },
      .field("subject_id", .text) { .optional($0.active?.subject?.id) },
      .field("subject_name", .text) { .optional($0.active?.subject?.name) },
      .field("streak", .integer) { .integer($0.streak) },
      .field("last_focus_end", .integer) { .optional($0.lastFocusEnd) },
      .field("auto_starts", .integer) { .integer($0.autoStarts) },
      .field("routine", .text) { .optional(StoredRoutine.text($0.routine)) },
      .field("settings", .text) { .optional(StoredTimerSettings.text($0.settings)) },
      .field("last_command_time", .integer) { .optional($0.lastCommandTime) },
      .field("past", .text) { .optional(StoredTimerPast.text($0.past)) },
      .field("due_at", .integer) { .optional($0.dueAt) },
      .field("version", .integer) { .integer($0.version) },
      .field("updated_at", .integer) { .instant($0.updatedAt) },
    ])

  /// The timer in a row of `TimerRows`.
  init<Row>(_ row: inout RecordRow<Row>) throws {
    let state: TimerState = try row.choice("state")
    let active = state == .reset ? nil : try ActiveTimer(&row, state)
    self.init(
      active: active, streak: row.integer("streak"), lastFocusEnd: row.optionalInstant("last_focus_end"),
      autoStarts: row.integer("auto_starts"),
      routine: try StoredRoutine.routine(row.optionalText("routine")),
      settings: try StoredTimerSettings.settings(row.optionalText("settings")),
      lastCommandTime: row.optionalInstant("last_command_time"),
      past: try StoredTimerPast.past(row.optionalText("past")), version: row.integer("version"),
      updatedAt: row.instant("updated_at"))
  }
}

extension ActiveTimer {
  fileprivate var isPausedByBackground: Bool {
    if case .paused(_, byBackground: true) = phase { true } else { false }
  }

  /// The timer in a row that has one.
  fileprivate init<Row>(_ row: inout RecordRow<Row>, _ state: TimerState) throws {
    let id: TimerID = try row.identifier("id")
    let type: TimerType = try row.choice("type")
    let startTime = row.instant("start_time")
    let endTime = row.optionalInstant("end_time")
    let lastStartTime = row.instant("last_start_time")
    let pausedSince = row.optionalInstant("paused_since")
    let isPausedByBackground = row.bool("paused_by_background")
    let finishedAt = row.optionalInstant("finished_at")
    let phase: Phase =
      if let pausedSince {
        .paused(since: pausedSince, byBackground: isPausedByBackground)
      } else if let finishedAt {
        .finished(at: finishedAt)
      } else {
        .running
      }
    let subjectID = row.optionalText("subject_id")
    let subjectName = row.optionalText("subject_name")
    self.init(
      id: id, type: type, phase: phase, startTime: startTime, endTime: endTime, lastStartTime: lastStartTime,
      pausedMilliseconds: row.integer("paused_time"), originalMilliseconds: row.integer("original_time"),
      adjustedMilliseconds: row.integer("adjusted_time"), wasAdjusted: row.bool("was_adjusted"),
      pausesInBackground: row.bool("pauses_in_background"),
      backgroundSince: row.optionalInstant("background_since"), label: row.optionalText("label"),
      projectID: try row.optionalIdentifier("project"), taskID: try row.optionalIdentifier("task"),
      subject: subjectID.flatMap { id in subjectName.map { TimerSubject(id: id, name: $0) } })
  }
}

/// The statements that read timers.
enum TimerRows {
  /// Of a project or a task that is gone nothing is shown, for neither keeps the timer.
  private static let columns =
    [("organization_id", "t.organization_id"), ("user_id", "t.user_id")] + MemberTimer.table.columns(of: "t")
    + [("project", "p.id"), ("task", "k.id")]

  private static let work = """
    LEFT JOIN projects p ON p.organization_id = t.organization_id AND p.id = t.project_id \
    LEFT JOIN tasks k ON k.organization_id = t.organization_id AND k.id = t.task_id
    """
  private static let row = "FROM timers t \(work) WHERE t.organization_id = $1 AND t.user_id = $2"

  static let one = RecordStatement(row, columns: RecordColumns(columns))
  static let locked = RecordStatement(row, columns: RecordColumns(columns), lock: "FOR NO KEY UPDATE OF t")

  /// The member, who is not anonymized until the transaction ends, and has not been.
  static let member = RecordStatement(
    "FROM members WHERE organization_id = $1 AND user_id = $2 AND anonymized_at IS NULL",
    columns: RecordColumns("user_id"), lock: "FOR SHARE")

  /// The timers that change by `$1`, those that came first, at most `$2`, but for those that somebody else is changing.
  static let due = RecordStatement(
    "FROM timers t \(work) WHERE t.due_at <= $1 ORDER BY t.due_at LIMIT $2", columns: RecordColumns(columns),
    lock: "FOR NO KEY UPDATE OF t SKIP LOCKED",
    sqlite: """
      FROM timers t INDEXED BY timers_due \(work) WHERE t.due_at <= $1 ORDER BY t.due_at LIMIT $2
      """, across: .timersEnd)

  static let nextDue = RecordStatement(
    "FROM timers WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1", columns: RecordColumns("due_at"),
    across: .timersEnd)
}
