import TimeclockDomain

/// A task as the table keeps one.
package struct StoredTask: Sendable {
  var task: WorkTask
  var owner: UserKey?
  /// The number of its project.
  var project: Int64?

  package static let table = RecordTable<StoredTask>(
    "tasks", key: .numbered("task_id"), number: "task_id",
    fields: [
      .fixed("id", .identifier) { .identifier($0.task.id) },
      .fixed("owner_id", .integer) { .optional($0.owner?.value) },
      .field("project_id", .integer) { .optional($0.project) },
      .field("name", .text) { .text($0.task.name) },
      .field("hidden", .bool) { .bool($0.task.isHidden) },
      .field("version", .integer) { .integer($0.task.version) },
      .fixed("created_at", .integer) { .instant($0.task.createdAt) },
      .field("updated_at", .integer) { .instant($0.task.updatedAt) },
    ])
}

extension WorkTask: VersionedRecord {
  private static let columns = RecordColumns(
    [("task_id", "t.task_id"), ("organization", "o.id"), ("owner", "u.id"), ("project", "p.id")]
      + StoredTask.table.columns(of: "t"))
  private static let tables = """
    FROM tasks t JOIN organizations o ON o.organization_id = t.organization_id \
    LEFT JOIN users u ON u.user_id = t.owner_id \
    LEFT JOIN projects p ON p.organization_id = t.organization_id AND p.project_id = t.project_id
    """

  static let one = RecordStatement(
    "\(tables) WHERE t.organization_id = $1 AND t.id = $2", columns: columns)
  /// Nobody else changes or deletes the task. The project of a task that another transaction moves is read afterwards.
  static let lockForChange = RecordStatement(
    "FROM tasks WHERE organization_id = $1 AND id = $2", columns: RecordColumns("task_id"),
    lock: "FOR NO KEY UPDATE")
  /// Nor does anything begin to refer to it.
  static let lockForDeletion = RecordStatement(
    "FROM tasks WHERE organization_id = $1 AND id = $2", columns: RecordColumns("task_id"),
    lock: "FOR UPDATE")

  private static let ofProject = "FROM tasks WHERE organization_id = $1 AND project_id = $2"

  /// The tasks of a project, which nobody else changes or deletes.
  static let lockAllOfProject = RecordStatement(
    "\(ofProject) ORDER BY task_id", columns: RecordColumns("task_id"), lock: "FOR UPDATE")
  static let allOfProject = RecordStatement(
    "\(tables) WHERE t.organization_id = $1 AND t.project_id = $2 ORDER BY t.task_id", columns: columns)
  static let detachAllOfProject = RecordStatement(
    """
    UPDATE tasks SET project_id = NULL, version = version + 1, updated_at = $3 \
    WHERE organization_id = $1 AND project_id = $2
    """)
  static let deleteAllOfProject = RecordStatement("DELETE \(ofProject)")

  package static let page = page(where: "TRUE")

  private static func page(where condition: String) -> RecordStatement {
    RecordStatement(
      """
      \(tables) WHERE t.organization_id = $1 AND t.task_id > $2 AND \(condition) \
      ORDER BY t.task_id LIMIT $3
      """, columns: columns)
  }

  private static let pages = OwnedPages(of: "t", flag: "hidden", user: "$4") { page(where: $0) }
  private static let pagesOfProject = OwnedPages(of: "t", flag: "hidden", user: "$5") { condition in
    page(
      where: """
        t.project_id = (SELECT q.project_id FROM projects q WHERE q.organization_id = $1 AND q.id = $4) \
        AND \(condition)
        """)
  }

  /// The statement for a list, and the values that it has beside those of every page.
  static func page(of query: TaskQuery) -> (statement: RecordStatement, values: [RecordValue]) {
    guard let project = query.project else {
      return pages.page(of: query.owners, isFlagged: query.isHidden)
    }
    let (statement, values) = pagesOfProject.page(of: query.owners, isFlagged: query.isHidden)
    return (statement, [.identifier(project)] + values)
  }

  /// The task in a row of `page`.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), organizationID: try row.identifier("organization"),
      projectID: try row.optionalIdentifier("project"), ownerID: try row.optionalIdentifier("owner"),
      name: row.text("name"), isHidden: row.bool("hidden"), version: row.integer("version"),
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
  }
}
