/// The tasks of organizations and their members.
package protocol TaskStorage: Sendable {
  /// Keeps a new task.
  ///
  /// - Parameter ownedLimit: The most tasks that a member owns.
  /// - Throws: `.tooManyTasks` for one more than the owner may have;
  ///   `.notFound(.member)` for an owner who is no member; `.memberDeactivated`; `.projectNotFound` and
  ///   `.projectArchived` for its project.
  func createTask(
    _ task: WorkTask, in organization: OrganizationKey, ownedLimit: Int, context: ChangeContext,
    recording: AnswerRecording<WorkTask>?
  ) async throws -> WorkTask

  /// One task; nil where the organization has none with this id.
  func task(_ id: TaskID, in organization: OrganizationKey) async throws -> WorkTask?

  /// A page of tasks, in the order in which they were made.
  func tasks(_ query: TaskQuery) async throws -> Page<WorkTask, RowCursor>

  /// Changes a task: reads it, lets `change` change it, moves it, raises the version and writes it back, all in one
  /// transaction. A change that changes nothing leaves the version too. What `change` makes of the project is of no
  /// consequence.
  ///
  /// - Parameter project: The project of the task from now on; the inner nil means none, the outer one leaves it.
  /// - Throws: `.notFound(.task)`; `.changed` when the version is another; any error of `change`; `.projectNotFound` and
  ///   `.projectArchived` for another project than before. Then nothing is changed.
  func updateTask(
    _ update: TaskUpdate, movingTo project: ProjectID??,
    _ change: @escaping @Sendable (inout WorkTask) throws -> Void
  ) async throws -> WorkTask

  /// Deletes a task.
  ///
  /// - Throws: `.notFound(.task)`; `.changed` when the version is another. Then nothing is changed.
  func deleteTask(_ deletion: TaskUpdate) async throws
}

/// The task to change or to delete, and the author of the change.
package typealias TaskUpdate = ResourceUpdate<WorkTask>

/// The tasks that a list shows.
package struct TaskQuery: Sendable {
  package var organization: OrganizationKey
  package var owners: OwnerSelection
  /// Only tasks of this project; nil means all.
  package var project: ProjectID?
  /// Only hidden ones, or only others; nil means all.
  package var isHidden: Bool?
  package var cursor: RowCursor?
  /// The most tasks to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, owners: OwnerSelection, project: ProjectID? = nil, isHidden: Bool? = nil,
    cursor: RowCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.owners = owners
    self.project = project
    self.isHidden = isHidden
    self.cursor = cursor
    self.limit = limit
  }
}
