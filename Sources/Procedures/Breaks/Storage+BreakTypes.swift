import TimeclockDomain

extension BreakType: TabledRecord {
  package static let table = ShapedTable(shape)
  package static let page = pages[nil]
  fileprivate static let pages = FlaggedPages(by: "r.archived") { table.page(where: $0) }
  fileprivate static let count = RecordStatement(
    "FROM break_types WHERE organization_id = $1", columns: RecordColumns([("count", "count(*)")]))
}

extension Storage {
  /// Keeps a new break type.
  ///
  /// - Throws: `.tooManyBreakTypes` if the organization has as many as it may, however many are made at once.
  package func createBreakType(
    _ breakType: BreakType, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<BreakType>?
  ) async throws -> BreakType {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      // Nobody else counts meanwhile.
      try await transaction.lock(Organization.lock, [.key(organization)])
      let count = try await transaction.first(BreakType.count, [.key(organization)]) { $0.integer("count") }
      guard count ?? 0 < BreakType.maximumCount else { throw TimeclockError.tooManyBreakTypes }
      try await transaction.create(breakType, in: organization, context)
      return breakType
    }
  }

  /// One break type; nil if the organization has none with this id.
  package func breakType(_ id: BreakTypeID, in organization: OrganizationKey) async throws -> BreakType? {
    try await record(id, in: organization)
  }

  /// A page of break types, in the order in which they were made.
  package func breakTypes(_ query: BreakTypeQuery) async throws -> Page<BreakType, RowCursor> {
    try await records(
      BreakType.pages[query.isArchived], of: query.organization, after: query.cursor, limit: query.limit)
  }

  /// Changes a break type: reads it, lets `change` change it, raises the version and writes it back, all in one
  /// transaction. A change that changes nothing leaves the version too.
  ///
  /// - Throws: `.notFound(.breakType)`; `.changed` when the version is another; any error of `change`. Then nothing is
  ///   changed.
  package func updateBreakType(
    _ update: BreakTypeUpdate, _ change: @escaping @Sendable (inout BreakType) throws -> Void
  ) async throws -> BreakType {
    try await self.update(update, change)
  }
}
