import TimeclockDomain

extension Timeclock {
  /// Makes a task: a member one of their own, a manager one of anybody's or of the organization.
  ///
  /// - Parameter owner: Nil means the caller for a member, and the organization for a manager.
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.memberDeactivated`, `.invalidTaskName`, `.projectNotFound`,
  ///   `.projectArchived`, `.tooManyTasks`.
  package func createTask(
    _ stated: Stated<WorkTask>, of owner: UserID? = nil, by caller: Membership,
    recording: AnswerRecording<WorkTask>? = nil
  ) async throws -> WorkTask {
    let owner = try await ownerOfNew(stated: owner, by: caller)
    let now = clock.now
    var task = WorkTask(
      head: Head(id: identifiers.next(at: now), organizationID: caller.organizationID, at: now),
      try stated.validated())
    task.ownerID = owner
    return try await storage.createTask(
      task, in: caller.key.organization, ownedLimit: ownedLimits.tasks,
      context: caller.change("createTask", at: now),
      recording: recording)
  }

  /// One task: any for a manager, the organization's and their own for a member.
  ///
  /// - Throws: `.notFound(.task)`, also for another member's own, of which a member learns nothing.
  package func task(_ id: TaskID, for caller: Membership) async throws -> WorkTask {
    guard let found = try await storage.task(id, in: caller.key.organization), found.isVisible(to: caller)
    else { throw TimeclockError.notFound(.task) }
    return found
  }

  /// A page of tasks in the order in which they were made.
  ///
  /// - Parameters:
  ///   - isHidden: Only hidden ones, or only others; nil means all.
  ///   - projectID: Only those of this project; nil means all.
  ///   - owner: Only the caller's own, or only the organization's; nil means all that the caller may see.
  /// - Throws: `.notFound(.project)` for a project that the caller may not see.
  package func tasks(
    isHidden: Bool?, of projectID: ProjectID?, owner: OwnerFilter?, after cursor: RowCursor?, limit: Int,
    for caller: Membership
  ) async throws -> Page<WorkTask, RowCursor> {
    if let projectID { _ = try await project(projectID, for: caller) }
    return try await storage.tasks(
      TaskQuery(
        organization: caller.key.organization, owners: owner.owners(for: caller), project: projectID,
        isHidden: isHidden, cursor: cursor, limit: limit))
  }

  /// Changes a task.
  ///
  /// - Throws: `.invalidTaskName`, `.forbidden`, and the errors of `task` and `TaskStorage.updateTask`.
  package func updateTask(
    _ id: TaskID, _ changes: Stated<WorkTask>, expectedVersion: Int64?, by caller: Membership
  ) async throws -> WorkTask {
    let change = try changes.validated()
    var stated = try await task(id, for: caller)
    try stated.requireWritable(by: caller)
    change(&stated)
    return try await storage.updateTask(
      TaskUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        context: caller.change("updateTask", at: clock.now)),
      movingTo: changes.states("projectId") ? .some(stated.projectID) : nil, change)
  }

  /// Deletes a task.
  ///
  /// - Throws: `.forbidden`, and the errors of `task` and `TaskStorage.deleteTask`.
  package func deleteTask(_ id: TaskID, expectedVersion: Int64?, by caller: Membership) async throws {
    try await task(id, for: caller).requireWritable(by: caller)
    try await storage.deleteTask(
      TaskUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        context: caller.change("deleteTask", at: clock.now)))
  }
}
