/// The break types of organizations.
package protocol BreakTypeStorage: Sendable {
  /// Keeps a new break type.
  ///
  /// - Throws: `.tooManyBreakTypes` where the organization has as many as it may, however many are made at once.
  func createBreakType(
    _ breakType: BreakType, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<BreakType>?
  ) async throws -> BreakType

  /// One break type; nil where the organization has none with this id.
  func breakType(_ id: BreakTypeID, in organization: OrganizationKey) async throws -> BreakType?

  /// A page of break types, in the order in which they were made.
  func breakTypes(_ query: BreakTypeQuery) async throws -> Page<BreakType, RowCursor>

  /// Changes a break type: reads it, lets `change` change it, raises the version and writes it back, all in one
  /// transaction. A change that changes nothing leaves the version too.
  ///
  /// - Throws: `.notFound(.breakType)`; `.changed` when the version is another; any error of `change`. Then nothing is
  ///   changed.
  func updateBreakType(
    _ update: BreakTypeUpdate, _ change: @escaping @Sendable (inout BreakType) throws -> Void
  ) async throws -> BreakType
}

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
