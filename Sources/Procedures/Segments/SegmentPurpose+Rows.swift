import TimeclockDomain

/// The purpose of a member's segment, as the tables have it.
struct ResolvedPurpose: Sendable {
  var purpose: SegmentPurpose
  var rows: SegmentRows
  var isPaid: Bool
  /// Whether the project is; false if there is none.
  var isBillable: Bool
}

extension RecordTransaction {
  /// Looks up the purpose of a member's segment, and keeps it from being deleted until the transaction ends. A task
  /// brings its project.
  ///
  /// - Throws: `.projectNotFound`, `.unknownTask`, `.unknownBreakType`, also for another member's own; `.projectArchived`,
  ///   `.taskHidden`, `.taskNotInProject`; `.breakTypeArchived`, unless those are taken.
  func resolve(
    _ purpose: SegmentPurpose, of member: MemberKey, takesArchivedBreaks: Bool = false
  ) async throws -> ResolvedPurpose {
    if let id = purpose.breakTypeID {
      return try await resolveBreak(id, in: member.organization, takesArchived: takesArchivedBreaks)
    }
    var project: PurposeProject?
    if let id = purpose.projectID {
      project = try await first(
        PurposeStatements.project, [.key(member.organization), .identifier(id), .key(member.user)],
        PurposeProject.init)
      guard project != nil else { throw TimeclockError.projectNotFound }
    }
    var task: PurposeTask?
    if let id = purpose.taskID {
      task = try await lockTask(id, of: member, in: project)
      guard let task else { throw TimeclockError.unknownTask }
      guard !task.isHidden else { throw TimeclockError.taskHidden }
      guard project == nil || task.project?.row == project?.row else { throw TimeclockError.taskNotInProject }
      project = task.project
    }
    guard project?.isArchived != true else { throw TimeclockError.projectArchived }
    return ResolvedPurpose(
      purpose: SegmentPurpose(projectID: project?.id, taskID: purpose.taskID),
      rows: SegmentRows(project: project?.row, task: task?.row), isPaid: true,
      isBillable: project?.isBillable ?? false)
  }

  /// The task, which is not deleted until the transaction ends, nor is its project; nil if the member may use none with
  /// this id.
  ///
  /// The project is locked before its task, as the deletion of a project does it. A task that is moved meanwhile, or whose
  /// project is deleted, is looked up again.
  ///
  /// - Parameter project: The project that is locked already; nil for none.
  private func lockTask(
    _ id: TaskID, of member: MemberKey, in project: PurposeProject?
  ) async throws -> PurposeTask? {
    let organization = RecordValue.key(member.organization)
    for _ in 0..<Self.lookUpLimit {
      var locked = project?.row
      if project == nil {
        locked = try await first(PurposeStatements.projectOfTask, [organization, .identifier(id)]) { $0.key }
      }
      let task = try await first(
        PurposeStatements.task, [organization, .identifier(id), .key(member.user)], PurposeTask.init)
      if project != nil || task?.project == nil || task?.project?.row == locked { return task }
    }
    throw TimeclockError.unavailable(retryAfterSeconds: 1)
  }

  /// The most times that a task is looked up which is moved each time.
  private static var lookUpLimit: Int { 10 }

  private func resolveBreak(
    _ id: BreakTypeID, in organization: OrganizationKey, takesArchived: Bool
  ) async throws -> ResolvedPurpose {
    let found = try await first(PurposeStatements.breakType, [.key(organization), .identifier(id)]) { row in
      (row: row.integer("break_type_id"), isPaid: row.bool("is_paid"), isArchived: row.bool("archived"))
    }
    guard let found else { throw TimeclockError.unknownBreakType }
    guard !found.isArchived || takesArchived else { throw TimeclockError.breakTypeArchived }
    return ResolvedPurpose(
      purpose: SegmentPurpose(breakTypeID: id), rows: SegmentRows(breakType: found.row), isPaid: found.isPaid,
      isBillable: false)
  }
}

private struct PurposeProject {
  let id: ProjectID
  let row: Int64
  let isArchived: Bool
  let isBillable: Bool

  init<Row>(_ row: inout RecordRow<Row>) throws {
    self.row = row.integer("project_id")
    id = try row.identifier("project")
    isArchived = row.bool("archived")
    isBillable = row.bool("billable")
  }
}

private struct PurposeTask {
  let row: Int64
  let isHidden: Bool
  let project: PurposeProject?

  init<Row>(_ row: inout RecordRow<Row>) throws {
    self.row = row.integer("task_id")
    isHidden = row.bool("hidden")
    project = row.isNull("project_id") ? nil : try PurposeProject(&row)
  }
}

/// The statements that look up a segment's purpose; `$3` is the member, who may use common and own records.
private enum PurposeStatements {
  private static let projectColumns = [
    ("project_id", "p.project_id"), ("project", "p.id"), ("archived", "p.archived"),
    ("billable", "p.billable"),
  ]

  static let project = RecordStatement(
    """
    FROM projects p WHERE p.organization_id = $1 AND p.id = $2 AND (p.owner_id IS NULL OR p.owner_id = $3)
    """, columns: RecordColumns(projectColumns), lock: "FOR KEY SHARE OF p")

  /// The project of the task `$2`, which is not deleted until the transaction ends.
  static let projectOfTask = RecordStatement(
    """
    FROM projects p WHERE p.organization_id = $1 AND p.project_id = \
    (SELECT t.project_id FROM tasks t WHERE t.organization_id = $1 AND t.id = $2)
    """, columns: RecordColumns([("key", "p.project_id")]), lock: "FOR KEY SHARE OF p")

  static let task = RecordStatement(
    """
    FROM tasks t LEFT JOIN projects p ON p.organization_id = t.organization_id AND p.project_id = t.project_id \
    WHERE t.organization_id = $1 AND t.id = $2 AND (t.owner_id IS NULL OR t.owner_id = $3)
    """, columns: RecordColumns([("task_id", "t.task_id"), ("hidden", "t.hidden")] + projectColumns),
    lock: "FOR KEY SHARE OF t")

  static let breakType = RecordStatement(
    "FROM break_types b WHERE b.organization_id = $1 AND b.id = $2",
    columns: RecordColumns([
      ("break_type_id", "b.break_type_id"), ("is_paid", "b.is_paid"), ("archived", "b.archived"),
    ]), lock: "FOR KEY SHARE OF b")
}
