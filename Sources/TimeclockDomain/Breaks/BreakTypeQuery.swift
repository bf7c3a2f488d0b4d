/// The break type to change, and the author of the change.
package typealias BreakTypeUpdate = ResourceUpdate<BreakType>

/// The break types that a list shows.
package struct BreakTypeQuery: Sendable {
  package var organization: OrganizationKey
  /// Only archived ones, or only others; nil means all.
  package var isArchived: Bool?
  package var cursor: RowCursor?
  /// The most break types to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, isArchived: Bool? = nil, cursor: RowCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.isArchived = isArchived
    self.cursor = cursor
    self.limit = limit
  }
}
