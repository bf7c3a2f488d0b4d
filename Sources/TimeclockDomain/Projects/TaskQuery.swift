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
