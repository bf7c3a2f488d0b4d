import TimeclockDomain

// Members are locked before the project, the project before its tasks, as the start of a segment does it, so that two
// transactions do not wait for each other. The owners of segments are certain once nobody begins any: so members are
// locked twice, the second time those who have begun one meanwhile.
extension RecordTransaction {
  /// Keeps everybody who has segments of a project, or of its tasks, from writing any until the transaction ends.
  func lockSegmentOwners(ofProject id: ProjectID, in organization: OrganizationKey) async throws {
    try await lock(PurposeDeletionStatements.lockOwnersOfProject, [.key(organization), .identifier(id)])
  }

  /// Keeps everybody who has segments of a task from writing any until the transaction ends.
  func lockSegmentOwners(ofTask id: TaskID, in organization: OrganizationKey) async throws {
    try await lock(PurposeDeletionStatements.lockOwnersOfTask, [.key(organization), .identifier(id)])
  }

  /// Deletes or detaches the segments of a project and of its tasks, each with a change of its own. No segment of it
  /// begins until the transaction ends.
  ///
  /// The project and its tasks are locked for their deletion, and so is everybody who has segments of them.
  ///
  /// - Parameters:
  ///   - project: The project's number.
  ///   - mode: Nil refuses the deletion if there are segments.
  /// - Throws: `.projectInUse`; `.periodLocked` if marks bind segments of it; `.reasonRequired` if segments of
  ///   somebody else than the author are to be deleted, and no reason says why.
  func clearSegments(
    ofProject project: Int64, _ mode: ProjectDeletionMode?, in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws {
    let values: [RecordValue] = [.key(organization), .integer(project)]
    guard let mode else {
      let count = try await first(PurposeDeletionStatements.countOfProject, values) { $0.key } ?? 0
      guard count == 0 else { throw TimeclockError.projectInUse(count: Int(count)) }
      return
    }
    try await requireOpenSegments(ofProject: project, mode == .delete, in: organization, context)
    try await clear(PurposeDeletionStatements.ofProject, values, mode, in: organization, context)
    guard mode == .delete else { return }
    // A task may have come to the project after its segments.
    for task in try await read(PurposeDeletionStatements.tasks, values, { $0.key }) {
      try await clear(
        PurposeDeletionStatements.ofTask, [.key(organization), .integer(task)], mode, in: organization,
        context)
    }
  }

  /// Detaches or deletes the segments that a statement gives, a page at a time, until it gives none.
  private func clear(
    _ statement: RecordStatement, _ values: [RecordValue], _ mode: ProjectDeletionMode,
    in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    let pageSize = 500
    var page: [StoredSegment]
    repeat {
      page = try await read(statement, values + [.integer(Int64(pageSize))], StoredSegment.init)
      switch mode {
      case .detach: try await detach(page, from: .project, in: organization, context)
      case .delete: try await discard(page, in: organization, context)
      }
    } while page.count == pageSize
  }

  /// Refuses the deletion of a task that segments are of. Nobody begins one of it until the transaction ends.
  ///
  /// - Throws: `.taskInUse`.
  func requireNoSegments(ofTask task: Int64, in organization: OrganizationKey) async throws {
    let values: [RecordValue] = [.key(organization), .integer(task)]
    let count = try await first(PurposeDeletionStatements.countOfTask, values) { $0.key } ?? 0
    guard count == 0 else { throw TimeclockError.taskInUse(count: Int(count)) }
  }

  /// Takes segments off their project or their task, and writes that down.
  func detach(
    _ segments: [StoredSegment], from reference: SegmentReference, in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws {
    let detached = segments.map { stored in
      var new = stored
      new.segment = stored.segment.revised(at: context.time) { segment in
        switch reference {
        case .project: (new.rows.project, segment.purpose.projectID) = (nil, nil)
        case .task: (new.rows.task, segment.purpose.taskID) = (nil, nil)
        }
      }
      return new
    }
    try await update(
      detached.map { (record: $0, key: $0.number) }, in: StoredSegment.table, of: organization)
    try await log(
      each: zip(segments, detached).map { (.segment($0.segment), .segment($1.segment)) }, in: organization,
      context)
  }

  /// Deletes segments, and writes that down.
  ///
  /// - Throws: `.reasonRequired` if some are of somebody else than the author, and no reason says why.
  func discard(
    _ segments: [StoredSegment], in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    guard context.reason != nil || segments.allSatisfy({ $0.segment.userID == context.author.userID }) else {
      throw TimeclockError.reasonRequired
    }
    try await delete(from: StoredSegment.table, of: organization, keys: segments.map(\.number))
    try await log(each: segments.map { (.segment($0.segment), nil) }, in: organization, context)
  }
}

/// The project or task that segments are taken off.
enum SegmentReference: Sendable {
  case project, task
}

/// The statements on the segments of a project or a task, `$2`, that is to be deleted.
enum PurposeDeletionStatements {
  static let lockOwnersOfProject = lockOwners(
    having: """
      SELECT s.user_id FROM projects p JOIN segments s \
      ON s.organization_id = p.organization_id AND s.project_id = p.project_id \
      WHERE p.organization_id = $1 AND p.id = $2 UNION SELECT s.user_id FROM projects p \
      JOIN tasks t ON t.organization_id = p.organization_id AND t.project_id = p.project_id \
      JOIN segments s ON s.organization_id = t.organization_id AND s.task_id = t.task_id \
      WHERE p.organization_id = $1 AND p.id = $2
      """)
  static let lockOwnersOfTask = lockOwners(
    having: """
      SELECT s.user_id FROM tasks t JOIN segments s \
      ON s.organization_id = t.organization_id AND s.task_id = t.task_id WHERE t.organization_id = $1 AND t.id = $2
      """)

  /// The members, in the order in which a write of segments locks them too.
  private static func lockOwners(having owners: String) -> RecordStatement {
    RecordStatement(
      "FROM members m WHERE m.organization_id = $1 AND m.user_id IN (\(owners)) ORDER BY m.user_id",
      columns: RecordColumns("m.user_id"), lock: "FOR NO KEY UPDATE OF m")
  }

  static let tasks = RecordStatement(
    "FROM tasks WHERE organization_id = $1 AND project_id = $2 ORDER BY task_id",
    columns: RecordColumns("task_id"))
  static let ofProject = SegmentStatements.statement(
    where: "s.project_id = $2 ORDER BY s.start_time LIMIT $3", index: "segments_of_project")
  static let ofTask = SegmentStatements.statement(
    where: "s.task_id = $2 ORDER BY s.start_time LIMIT $3", index: "segments_of_task")
  static let countOfProject = count(
    where: """
      (project_id = $2 OR task_id IN (SELECT task_id FROM tasks WHERE organization_id = $1 AND project_id = $2))
      """)
  static let countOfTask = count(where: "task_id = $2")

  private static func count(where condition: String) -> RecordStatement {
    RecordStatement(
      "FROM segments WHERE organization_id = $1 AND \(condition)",
      columns: RecordColumns([("count", "count(*)")]))
  }
}
