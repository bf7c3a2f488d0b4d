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

  /// The project stays as it is while others refer to it in the same way.
  fileprivate static let lockedForReference = RecordStatement(
    row, columns: columns, lock: "FOR SHARE OF p")

  package static let page = page(where: "TRUE")

  private static func page(where condition: String) -> RecordStatement {
    RecordStatement(
      """
      \(tables) WHERE p.organization_id = $1 AND p.project_id > $2 AND \(condition) \
      ORDER BY p.project_id LIMIT $3
      """, columns: columns)
  }

  fileprivate static let pages = OwnedPages(of: "p", flag: "archived", user: "$4") { page(where: $0) }

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
    _ project: Project, in organization: OrganizationKey, ownedLimit: Int, context: ChangeContext,
    recording: AnswerRecording<Project>?
  ) async throws -> Project {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let owner = try await transaction.lockOwner(project.ownerID, in: organization)
      try await transaction.requireRoom(
        for: owner, in: OwnedCounts.projects, of: organization, atMost: ownedLimit)
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
    let (statement, values) = Project.pages.page(of: query.owners, isFlagged: query.isArchived)
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

  package func deleteProject(_ deletion: ProjectUpdate, mode: ProjectDeletionMode?) async throws {
    let organization = deletion.organization
    try await write(RecordWrite(.organization(organization), isLong: true), recording: nil) { transaction in
      if mode != nil { try await transaction.lockSegmentOwners(ofProject: deletion.id, in: organization) }
      let (before, number) = try await transaction.requireProject(deletion, by: Project.lockedForDeletion)
      try await transaction.lockTasks(ofProject: number, in: organization)
      // Locks the members that have begun a segment since. No other member can any more.
      if mode != nil { try await transaction.lockSegmentOwners(ofProject: deletion.id, in: organization) }
      try await transaction.clearSegments(
        ofProject: number, mode, in: organization, deletion.context)
      try await transaction.clear(project: number, mode ?? .detach, in: organization, deletion.context)
      try await transaction.delete(from: StoredProject.table, of: organization, key: number)
      try await transaction.log(from: .project(before), to: nil, in: organization, deletion.context)
    }
  }
}

/// A project that stays as it is until a transaction ends, and its number.
struct LockedProject: Sendable {
  let project: Project
  let number: Int64

  init<Row>(_ row: inout RecordRow<Row>) throws {
    number = row.integer("project_id")
    project = try Project(&row)
  }
}

extension RecordTransaction {
  /// The project to which something is to refer; nil where there is none with this id, or none is asked for.
  func lockProject(_ id: ProjectID?, in organization: OrganizationKey) async throws -> LockedProject? {
    guard let id else { return nil }
    return try await first(
      Project.lockedForReference, [.key(organization), .identifier(id)], LockedProject.init)
  }

  /// The project that is to be deleted, to which nothing begins to refer; nil where there is none with this id.
  func lockProjectForDeletion(
    _ id: ProjectID, in organization: OrganizationKey
  ) async throws -> LockedProject? {
    try await first(Project.lockedForDeletion, [.key(organization), .identifier(id)], LockedProject.init)
  }

  /// The project that is to be changed, and its number.
  ///
  /// - Throws: `.notFound(.project)`, `.changed`.
  fileprivate func requireProject(
    _ update: ProjectUpdate, by statement: RecordStatement
  ) async throws -> (project: Project, number: Int64) {
    let found = try await first(
      statement, [.key(update.organization), .identifier(update.id)], LockedProject.init)
    guard let found else { throw TimeclockError.notFound(.project) }
    try found.project.requireVersion(update.expectedVersion)
    return (found.project, found.number)
  }
}
