/// The projects of organizations and their members.
package protocol ProjectStorage: Sendable {
  /// Keeps a new project.
  ///
  /// - Parameter ownedLimit: The most projects that a member owns.
  /// - Throws: `.tooManyProjects` for one more than the owner may have;
  ///   `.notFound(.member)` for an owner who is no member; `.memberDeactivated`.
  func createProject(
    _ project: Project, in organization: OrganizationKey, ownedLimit: Int, context: ChangeContext,
    recording: AnswerRecording<Project>?
  ) async throws -> Project

  /// One project; nil where the organization has none with this id.
  func project(_ id: ProjectID, in organization: OrganizationKey) async throws -> Project?

  /// A page of projects, in the order in which they were made.
  func projects(_ query: ProjectQuery) async throws -> Page<Project, RowCursor>

  /// Changes a project: reads it, lets `change` change it, raises the version and writes it back, all in one
  /// transaction. A change that changes nothing leaves the version too.
  ///
  /// - Throws: `.notFound(.project)`; `.changed` when the version is another; any error of `change`. Then nothing is
  ///   changed.
  func updateProject(
    _ update: ProjectUpdate, _ change: @escaping @Sendable (inout Project) throws -> Void
  ) async throws -> Project

  /// Deletes a project, and does with its tasks and its segments what `mode` says, each a change of its own, all in one
  /// transaction. Tasks keep no project from being deleted, segments do: without a mode, tasks are detached.
  ///
  /// - Throws: `.notFound(.project)`; `.changed` when the version is another; `.projectInUse` without a mode;
  ///   `.reasonRequired` where segments of others are to be deleted. Then nothing is changed.
  func deleteProject(_ deletion: ProjectUpdate, mode: ProjectDeletionMode?) async throws
}

/// The project to change or to delete, and the author of the change.
package typealias ProjectUpdate = ResourceUpdate<Project>

/// What the deletion of a project does with what belongs to it.
package enum ProjectDeletionMode: String, CaseIterable, Sendable {
  /// Its tasks and segments lose the project, and stay.
  case detach
  /// Its tasks and their segments are deleted too.
  case delete
}

/// The projects that a list shows.
package struct ProjectQuery: Sendable {
  package var organization: OrganizationKey
  package var owners: OwnerSelection
  /// Only archived ones, or only others; nil means all.
  package var isArchived: Bool?
  package var cursor: RowCursor?
  /// The most projects to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, owners: OwnerSelection, isArchived: Bool? = nil,
    cursor: RowCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.owners = owners
    self.isArchived = isArchived
    self.cursor = cursor
    self.limit = limit
  }
}
