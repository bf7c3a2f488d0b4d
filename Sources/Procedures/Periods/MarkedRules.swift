import TimeclockDomain

// Rules about marks of records that are not about one date of one member.

extension RecordTransaction {
  /// Refuses a change of schedules by which the date behind a member's mark would begin at another instant. The member is
  /// locked, or nobody else writes.
  ///
  /// - Parameter schedule: The member's schedule as it is to be.
  /// - Throws: `.periodLocked`.
  func requireSameEnds(
    of userID: UserID, by schedule: Schedule, in organization: OrganizationKey
  ) async throws {
    let ends = try await marks(of: userID, in: organization)
    for kind in PeriodMark.Kind.allCases.reversed() {
      guard let end = ends[kind], schedule.dayEnd(end.through) != end.until else { continue }
      throw TimeclockError.periodLocked(PeriodMark(kind, through: end.through), count: nil)
    }
  }

  /// Refuses another zone of an organization while any member has a mark, for dates before a member's first schedule are by
  /// that zone. The organization is locked for the change, and moves of marks wait for it.
  ///
  /// - Throws: `.periodLocked`.
  func requireNoMarks(in organization: OrganizationKey) async throws {
    let dates = try await first(MarkedRuleStatements.anyMark, [.key(organization)], PeriodDates.init)
    if let mark = dates?.mark(on: .earliest) { throw TimeclockError.periodLocked(mark, count: nil) }
  }

  /// Refuses changes of holidays on dates that are approved for a member whose schedule of the date names the calendar. The
  /// calendar is locked for the change, and approvals of such a date wait for it.
  ///
  /// - Parameter calendar: The number of the calendar's row.
  /// - Throws: `.periodLocked`.
  func requireOpenHolidays(
    on dates: [LocalDate], ofCalendar calendar: Int64, in organization: OrganizationKey
  ) async throws {
    let values: [RecordValue] = [.key(organization), .integer(calendar)]
    let last =
      try await first(MarkedRuleStatements.lastApproved, values) { $0.optionalDate("through") } ?? nil
    guard let last else { return }
    for date in dates.sorted() where date <= last {
      let marks = try await first(
        MarkedRuleStatements.approvedOn, values + [.date(date)], PeriodDates.init)
      if let mark = marks?.mark(on: date) { throw TimeclockError.periodLocked(mark, count: nil) }
    }
  }

  /// Refuses other pay rules of dates that are approved for any member. The organization is locked for the change, and moves
  /// of marks wait for it.
  ///
  /// - Throws: `.periodLocked`.
  func requireOpenPayRules(
    from before: PayRulesCalendar, to after: PayRulesCalendar, in organization: OrganizationKey
  ) async throws {
    guard let date = before.firstDifference(from: after) else { return }
    let dates = try await first(
      MarkedRuleStatements.anyApproved, [.key(organization), .date(date)], PeriodDates.init)
    if let mark = dates?.mark(on: date) { throw TimeclockError.periodLocked(mark, count: nil) }
  }

  /// Refuses to take segments off a project, or to delete them with it, while marks bind some. Their owners are locked.
  ///
  /// - Parameter hasTasks: Whether the segments of the project's tasks are meant too.
  /// - Throws: `.periodLocked` with their count.
  func requireOpenSegments(
    ofProject project: Int64, _ hasTasks: Bool, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    let statement = hasTasks ? MarkedRuleStatements.ofProjectAndTasks : MarkedRuleStatements.ofProject
    guard let weakest = context.boundBy else { return }
    func bound(by kind: PeriodMark.Kind) async throws -> BoundSegments {
      try await first(
        statement, [.key(organization), .integer(project), .text(kind.rawValue)], BoundSegments.init)
        ?? BoundSegments()
    }
    let count = try await bound(by: weakest).count
    guard count > 0 else { return }
    // The strongest mark, which binds some of them at least.
    for kind in PeriodMark.Kind.allCases.reversed() where kind >= weakest {
      guard let through = try await bound(by: kind).through else { continue }
      throw TimeclockError.periodLocked(PeriodMark(kind, through: through), count: count)
    }
  }

  /// Whether marks bind segments of a project or a task. Their owners are locked.
  func hasBoundSegments(
    of reference: SegmentReference, _ number: Int64, in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws -> Bool {
    guard let weakest = context.boundBy else { return false }
    let found = try await first(
      reference == .project ? MarkedRuleStatements.ofProject : MarkedRuleStatements.ofTask,
      [.key(organization), .integer(number), .text(weakest.rawValue)], BoundSegments.init)
    return found.map { $0.count > 0 } ?? false
  }
}

/// The segments that marks bind.
private struct BoundSegments {
  let count: Int
  /// The latest mark that binds some.
  let through: LocalDate?

  init() {
    (count, through) = (0, nil)
  }

  init<Row>(_ row: inout RecordRow<Row>) {
    count = Int(row.integer("count"))
    through = row.optionalDate("through")
  }
}

extension PeriodDates {
  /// The marks in a row with the columns of their dates.
  fileprivate init<Row>(_ row: inout RecordRow<Row>) {
    self.init()
    submitted = row.optionalDate("submitted_through")
    approved = row.optionalDate("approved_through")
    locked = row.optionalDate("locked_through")
  }
}

private enum MarkedRuleStatements {
  private static let dates = RecordColumns([
    ("submitted_through", "r.submitted_through"), ("approved_through", "r.approved_through"),
    ("locked_through", "r.locked_through"),
  ])

  private static let latest = RecordColumns(
    PeriodMark.Kind.allCases.map { kind in
      (name: "\(kind.rawValue)_through", expression: "max(r.\(kind.rawValue)_through)")
    })

  static let anyMark = RecordStatement(
    "FROM periods r WHERE r.organization_id = $1 AND r.submitted_through IS NOT NULL LIMIT 1", columns: dates)

  /// The latest marks of members whose time on the date `$2` is approved.
  static let anyApproved = RecordStatement(
    "FROM periods r WHERE r.organization_id = $1 AND r.approved_through >= $2", columns: latest)

  /// The last date that is approved for a member with a schedule that names the calendar `$2`.
  static let lastApproved = RecordStatement(
    """
    FROM work_schedules s JOIN periods r ON r.organization_id = s.organization_id AND r.user_id = s.user_id \
    WHERE s.organization_id = $1 AND s.holiday_calendar_id = $2
    """, columns: RecordColumns([("through", "max(r.approved_through)")]))

  /// The latest marks of members whose schedule of the date `$3`, which is approved, names the calendar `$2`.
  static let approvedOn = RecordStatement(
    """
    FROM work_schedules s JOIN periods r ON r.organization_id = s.organization_id AND r.user_id = s.user_id \
    WHERE s.organization_id = $1 AND s.holiday_calendar_id = $2 AND s.from_date <= $3 AND r.approved_through >= $3 \
    AND NOT EXISTS (SELECT 1 FROM work_schedules n WHERE n.organization_id = s.organization_id \
    AND n.user_id = s.user_id AND n.from_date > s.from_date AND n.from_date <= $3)
    """, columns: latest)

  static let ofProject = boundSegments("s.project_id = $2")
  static let ofTask = boundSegments("s.task_id = $2")
  static let ofProjectAndTasks = boundSegments(
    """
    (s.project_id = $2 OR s.task_id IN (SELECT t.task_id FROM tasks t WHERE t.organization_id = $1 AND t.project_id = $2))
    """)

  /// The count of the segments that marks of the kind `$3` bind, and the latest of these marks.
  private static func boundSegments(_ condition: String) -> RecordStatement {
    func mark(_ part: String) -> String {
      """
      CASE $3 WHEN 'submitted' THEN r.submitted_\(part) WHEN 'approved' THEN r.approved_\(part) ELSE r.locked_\(part) END
      """
    }
    return RecordStatement(
      """
      FROM segments s JOIN periods r ON r.organization_id = s.organization_id AND r.user_id = s.user_id \
      WHERE s.organization_id = $1 AND \(condition) AND s.start_time < \(mark("until"))
      """,
      columns: RecordColumns([("count", "count(*)"), ("through", "max(\(mark("through")))")]))
  }
}
