import TimeclockDomain

/// A project as the table keeps one.
package struct StoredProject: Sendable {
  var project: Project
  var owner: UserKey?

  package static let table = RecordTable<StoredProject>(
    "projects", key: .numbered("project_id"), number: "project_id",
    fields: [
      .fixed("id", .identifier) { .identifier($0.project.id) },
      .fixed("owner_id", .integer) { .optional($0.owner?.value) },
      .field("name", .text) { .text($0.project.name) },
      .field("client", .text) { .optional($0.project.client) },
      .field("color", .text) { .text($0.project.color.text) },
      .field("archived", .bool) { .bool($0.project.isArchived) },
      .field("billable", .bool) { .bool($0.project.isBillable) },
      .field("version", .integer) { .integer($0.project.version) },
      .fixed("created_at", .integer) { .instant($0.project.createdAt) },
      .field("updated_at", .integer) { .instant($0.project.updatedAt) },
    ])
}

extension Project: VersionedRecord {
  private static let columns = RecordColumns(
    [("project_id", "p.project_id"), ("organization", "o.id"), ("owner", "u.id")]
      + StoredProject.table.columns(of: "p"))
  private static let tables = """
    FROM projects p JOIN organizations o ON o.organization_id = p.organization_id \
    LEFT JOIN users u ON u.user_id = p.owner_id
    """
  private static let row = "\(tables) WHERE p.organization_id = $1 AND p.id = $2"

  fileprivate static let one = RecordStatement(row, columns: columns)
  fileprivate static let lockedForChange = RecordStatement(
    row, columns: columns, lock: "FOR NO KEY UPDATE OF p")
  /// Nor does anything begin to refer to the project.
  fileprivate static let lockedForDeletion = RecordStatement(row, columns: columns, lock: "FOR UPDATE OF p")

  package static let page = page(where: "TRUE")

  private static func page(where condition: String) -> RecordStatement {
    RecordStatement(
      """
      \(tables) WHERE p.organization_id = $1 AND p.project_id > $2 AND \(condition) \
      ORDER BY p.project_id LIMIT $3
      """, columns: columns)
  }

  /// The pages of all owners, and of those that `OwnerSelection` names: all, archived ones, others.
  private static let pages = pages(of: "TRUE")
  private static let pagesOfOrganization = pages(of: "p.owner_id IS NULL")
  private static let pagesOfMember = pages(of: "p.owner_id = $4")
  private static let pagesOfBoth = pages(of: "(p.owner_id IS NULL OR p.owner_id = $4)")

  private static func pages(of owners: String) -> [Bool?: RecordStatement] {
    [
      nil: page(where: owners), true: page(where: "\(owners) AND p.archived"),
      false: page(where: "\(owners) AND NOT p.archived"),
    ]
  }

  /// The statement for a list, and the value that it has beside those of every page.
  fileprivate static func page(of query: ProjectQuery) -> (statement: RecordStatement, values: [RecordValue])
  {
    let (pages, values): ([Bool?: RecordStatement], [RecordValue]) =
      switch query.owners {
      case .everybody: (Self.pages, [])
      case .organization: (pagesOfOrganization, [])
      case .member(let user): (pagesOfMember, [.key(user)])
      case .organizationAndMember(let user): (pagesOfBoth, [.key(user)])
      }
    return (pages[query.isArchived] ?? page, values)
  }

  /// The project in a row of `page`.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), organizationID: try row.identifier("organization"),
      ownerID: try row.optionalIdentifier("owner"), name: row.text("name"),
      client: row.optionalText("client"), color: ProjectColor(stored: row.text("color")),
      isArchived: row.bool("archived"), isBillable: row.bool("billable"), version: row.integer("version"),
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
  }
}

extension RecordStorage {
  package func createProject(
    _ project: Project, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Project>?
  ) async throws -> Project {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let owner = try await transaction.lockOwner(project.ownerID, in: organization)
      _ = try await transaction.insert(
        StoredProject(project: project, owner: owner), into: StoredProject.table, of: organization)
      try await transaction.log(from: nil, to: .project(project), in: organization, context)
      return project
    }
  }

  package func project(_ id: ProjectID, in organization: OrganizationKey) async throws -> Project? {
    try await first(
      Project.one, [.key(organization), .identifier(id)], in: .organization(organization), Project.init)
  }

  package func projects(_ query: ProjectQuery) async throws -> Page<Project, RowCursor> {
    let (statement, values) = Project.page(of: query)
    return try await page(
      statement, of: query.organization, after: query.cursor, limit: query.limit, and: values
    ) { row in
      let number = row.integer("project_id")
      return (try Project(&row), number)
    }
  }

  package func updateProject(
    _ update: ProjectUpdate, _ change: @escaping @Sendable (inout Project) throws -> Void
  ) async throws -> Project {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let (before, number) = try await transaction.requireProject(update, by: Project.lockedForChange)
      guard let changed = try before.changed(at: update.context.time, by: change) else { return before }
      // The owner is of no consequence: no change changes it.
      try await transaction.update(
        StoredProject(project: changed, owner: nil), in: StoredProject.table, of: organization, key: number)
      try await transaction.log(
        from: .project(before), to: .project(changed), in: organization, update.context)
      return changed
    }
  }

  package func deleteProject(_ deletion: ProjectUpdate) async throws {
    let organization = deletion.organization
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let (before, number) = try await transaction.requireProject(deletion, by: Project.lockedForDeletion)
      try await transaction.delete(from: StoredProject.table, of: organization, key: number)
      try await transaction.log(from: .project(before), to: nil, in: organization, deletion.context)
    }
  }
}

extension RecordTransaction {
  /// The row of the member to whom something new belongs, who stays a member; nil for nobody.
  ///
  /// - Throws: `.notFound(.member)`, `.memberDeactivated`.
  func lockOwner(_ id: UserID?, in organization: OrganizationKey) async throws -> UserKey? {
    guard let id else { return nil }
    guard let member = try await lockMembers([id], of: organization)[id] else {
      throw TimeclockError.notFound(.member)
    }
    guard member.isActive else { throw TimeclockError.memberDeactivated }
    return member.user
  }

  /// The project that is to be changed, and its number.
  ///
  /// - Throws: `.notFound(.project)`, `.changed`.
  fileprivate func requireProject(
    _ update: ProjectUpdate, by statement: RecordStatement
  ) async throws -> (project: Project, number: Int64) {
    let found = try await first(statement, [.key(update.organization), .identifier(update.id)]) { row in
      let number = row.integer("project_id")
      return (project: try Project(&row), number: number)
    }
    guard let found else { throw TimeclockError.notFound(.project) }
    try found.project.requireVersion(update.expectedVersion)
    return found
  }
}
