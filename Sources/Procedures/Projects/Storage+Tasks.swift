import TimeclockDomain

// The project is locked before its tasks, as the deletion of a project does it, so that two transactions do not wait for
// each other.
extension Storage {
  /// Keeps a new task.
  ///
  /// - Parameter ownedLimit: The most tasks that a member owns.
  /// - Throws: `.tooManyTasks` for one more than the owner may have;
  ///   `.notFound(.member)` for an owner who is no member; `.memberDeactivated`; `.projectNotFound` and
  ///   `.projectArchived` for its project.
  package func createTask(
    _ task: WorkTask, in organization: OrganizationKey, ownedLimit: Int, context: ChangeContext,
    recording: AnswerRecording<WorkTask>?
  ) async throws -> WorkTask {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let owner = try await transaction.lockOwner(task.ownerID, in: organization)
      try await transaction.requireRoom(
        for: owner, in: OwnedCounts.tasks, of: organization, atMost: ownedLimit)
      let project = try await transaction.lockProject(task.projectID, in: organization)
      let number = try project.number(forPlacing: task)
      try await transaction.create(
        task, of: owner, references: WorkTask.references(project: number), in: organization, context)
      return task
    }
  }

  /// One task; nil if the organization has none with this id.
  package func task(_ id: TaskID, in organization: OrganizationKey) async throws -> WorkTask? {
    try await record(id, in: organization)
  }

  /// A page of tasks, in the order in which they were made.
  package func tasks(_ query: TaskQuery) async throws -> Page<WorkTask, RowCursor> {
    let (statement, values) = WorkTask.page(of: query)
    return try await records(
      statement, of: query.organization, after: query.cursor, limit: query.limit, and: values)
  }

  /// Changes a task: reads it, lets `change` change it, moves it, raises the version and writes it back, all in one
  /// transaction. A change that changes nothing leaves the version too. A change of the project by `change` is ignored.
  ///
  /// - Parameter project: The project of the task from now on; the inner nil means none, the outer one leaves it.
  /// - Throws: `.notFound(.task)`; `.changed` when the version is another; any error of `change`; `.projectNotFound` and
  ///   `.projectArchived` for another project than before. Then nothing is changed.
  package func updateTask(
    _ update: TaskUpdate, movingTo projectID: ProjectID??,
    _ change: @escaping @Sendable (inout WorkTask) throws -> Void
  ) async throws -> WorkTask {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let project = try await transaction.lockProject(projectID ?? nil, in: organization)
      let found = try await transaction.require(update, by: WorkTask.table.lockedForChange)
      let before = found.record
      let changed = try before.changed(at: update.context.time) { task in
        try change(&task)
        task.projectID = projectID ?? before.projectID
      }
      guard let changed else { return before }
      let isMoved = changed.projectID != before.projectID
      let references =
        isMoved
        ? WorkTask.references(project: try project.number(forPlacing: changed)) : found.references
      try await transaction.write(
        changed, over: found, references: references, in: organization, update.context)
      return changed
    }
  }

  /// Deletes a task.
  ///
  /// - Throws: `.notFound(.task)`; `.changed` when the version is another. Then nothing is changed.
  package func deleteTask(_ deletion: TaskUpdate) async throws {
    let organization = deletion.organization
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let found = try await transaction.require(deletion, by: WorkTask.table.lockedForDeletion)
      try await transaction.requireNoSegments(ofTask: found.number, in: organization)
      try await transaction.delete(found, in: organization, deletion.context)
    }
  }
}

extension NumberedRecord<Project>? {
  /// The number of the project in which a task is placed; nil for a task of none.
  ///
  /// - Throws: `.projectNotFound`, `.projectArchived`.
  fileprivate func number(forPlacing task: WorkTask) throws -> Int64? {
    guard task.projectID != nil else { return nil }
    guard let self else { throw TimeclockError.projectNotFound }
    try task.requirePlace(in: self.record)
    return self.number
  }
}

extension RecordTransaction {
  /// Keeps the tasks of a project, which is locked for its deletion, as they are until the transaction ends. Nobody begins
  /// a segment of one.
  ///
  /// - Parameter project: The project's number.
  func lockTasks(ofProject project: Int64, in organization: OrganizationKey) async throws {
    try await lock(WorkTask.lockAllOfProject, [.key(organization), .integer(project)])
  }

  /// Deletes or detaches the tasks of a project, which are locked, and logs each. No task is placed in it until the
  /// transaction ends.
  ///
  /// - Parameter project: The project's number.
  func clear(
    project: Int64, _ mode: ProjectDeletionMode, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    let values: [RecordValue] = [.key(organization), .integer(project)]
    let tasks = try await read(WorkTask.allOfProject, values, WorkTask.init)
    guard !tasks.isEmpty else { return }
    switch mode {
    case .detach:
      try await write(
        WorkTask.detachAllOfProject, values + [.instant(context.time)], rows: tasks.count,
        of: WorkTask.table.rows.name)
      try await log(
        each: tasks.map { ($0.snapshot, $0.detached(at: context.time).snapshot) }, in: organization, context)
    case .delete:
      try await write(WorkTask.deleteAllOfProject, values, rows: tasks.count, of: WorkTask.table.rows.name)
      try await log(each: tasks.map { ($0.snapshot, nil) }, in: organization, context)
    }
  }
}
