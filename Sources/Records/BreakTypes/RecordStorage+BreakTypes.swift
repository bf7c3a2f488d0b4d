import TimeclockDomain

extension BreakType: VersionedRecord {
  package static let table = RecordTable<BreakType>(
    "break_types", key: .numbered("break_type_id"),
    fields: [
      .fixed("id", .identifier) { .identifier($0.id) },
      .field("name", .text) { .text($0.name) },
      .field("is_paid", .bool) { .bool($0.isPaid) },
      .field("expected_seconds", .integer) { .optional($0.expectedSeconds) },
      .field("archived", .bool) { .bool($0.isArchived) },
      .field("version", .integer) { .integer($0.version) },
      .fixed("created_at", .integer) { .instant($0.createdAt) },
      .field("updated_at", .integer) { .instant($0.updatedAt) },
    ])

  private static let columns = RecordColumns(
    [("break_type_id", "b.break_type_id"), ("organization", "o.id")] + table.columns(of: "b"))
  private static let organizations = "JOIN organizations o ON o.organization_id = b.organization_id"
  private static let row =
    "FROM break_types b \(organizations) WHERE b.organization_id = $1 AND b.id = $2"

  fileprivate static let one = RecordStatement(row, columns: columns)
  fileprivate static let locked = RecordStatement(row, columns: columns, lock: "FOR NO KEY UPDATE OF b")
  fileprivate static let count = RecordStatement(
    "FROM break_types WHERE organization_id = $1", columns: RecordColumns([("count", "count(*)")]))

  package static let page = page(where: "TRUE")
  private static let archivedPage = page(where: "b.archived")
  private static let presentPage = page(where: "NOT b.archived")

  private static func page(where condition: String) -> RecordStatement {
    RecordStatement(
      """
      FROM break_types b \(organizations) WHERE b.organization_id = $1 AND b.break_type_id > $2 AND \(condition) \
      ORDER BY b.break_type_id LIMIT $3
      """, columns: columns)
  }

  fileprivate static func page(isArchived: Bool?) -> RecordStatement {
    switch isArchived {
    case nil: page
    case true?: archivedPage
    case false?: presentPage
    }
  }

  /// The break type in a row of `page`.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), organizationID: try row.identifier("organization"),
      name: row.text("name"), isPaid: row.bool("is_paid"),
      expectedSeconds: row.optionalInteger("expected_seconds"), isArchived: row.bool("archived"),
      version: row.integer("version"), createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }
}

extension RecordStorage {
  package func createBreakType(
    _ breakType: BreakType, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<BreakType>?
  ) async throws -> BreakType {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      // Nobody else counts meanwhile.
      try await transaction.lock(Organization.lock, [.key(organization)])
      let count = try await transaction.first(BreakType.count, [.key(organization)]) { $0.integer("count") }
      guard count ?? 0 < BreakType.maximumCount else { throw TimeclockError.tooManyBreakTypes }
      _ = try await transaction.insert(breakType, into: BreakType.table, of: organization)
      try await transaction.log(from: nil, to: .breakType(breakType), in: organization, context)
      return breakType
    }
  }

  package func breakType(_ id: BreakTypeID, in organization: OrganizationKey) async throws -> BreakType? {
    try await first(
      BreakType.one, [.key(organization), .identifier(id)], in: .organization(organization), BreakType.init)
  }

  package func breakTypes(_ query: BreakTypeQuery) async throws -> Page<BreakType, RowCursor> {
    try await page(
      BreakType.page(isArchived: query.isArchived), of: query.organization, after: query.cursor,
      limit: query.limit
    ) { row in
      let number = row.integer("break_type_id")
      return (try BreakType(&row), number)
    }
  }

  package func updateBreakType(
    _ update: BreakTypeUpdate, _ change: @escaping @Sendable (inout BreakType) throws -> Void
  ) async throws -> BreakType {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let found = try await transaction.first(
        BreakType.locked, [.key(organization), .identifier(update.id)]
      ) { row in
        let number = row.integer("break_type_id")
        return (before: try BreakType(&row), number: number)
      }
      guard let (before, number) = found else { throw TimeclockError.notFound(.breakType) }
      try before.requireVersion(update.expectedVersion)
      guard let changed = try before.changed(at: update.context.time, by: change) else { return before }
      try await transaction.update(changed, in: BreakType.table, of: organization, key: number)
      try await transaction.log(
        from: .breakType(before), to: .breakType(changed), in: organization, update.context)
      return changed
    }
  }
}
