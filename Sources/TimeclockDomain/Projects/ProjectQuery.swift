/// The project to change or to delete, and the author of the change.
package typealias ProjectUpdate = ResourceUpdate<Project>

/// The fate of a deleted project's tasks and segments.
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
