import TimeclockDomain

extension WorkTask {
  /// The rows to which a task's refers, by their columns.
  ///
  /// - Parameter project: The number of its project; nil for none.
  static func references(project: Int64?) -> [String: Int64?] { ["project_id": project] }

  private static let ofProject = "FROM tasks WHERE organization_id = $1 AND project_id = $2"

  /// The tasks of a project, which nobody else changes or deletes.
  static let lockAllOfProject = RecordStatement(
    "\(ofProject) ORDER BY task_id", columns: RecordColumns("task_id"), lock: "FOR UPDATE")
  static let allOfProject = table.all(where: "r.project_id = $2")
  static let detachAllOfProject = RecordStatement(
    """
    UPDATE tasks SET project_id = NULL, version = version + 1, updated_at = $3 \
    WHERE organization_id = $1 AND project_id = $2
    """)
  static let deleteAllOfProject = RecordStatement("DELETE \(ofProject)")

  private static let pages = OwnedPages(of: "r", flag: "hidden", user: "$4") { table.page(where: $0) }
  private static let pagesOfProject = OwnedPages(of: "r", flag: "hidden", user: "$5") { condition in
    table.page(
      where: """
        r.project_id = (SELECT q.project_id FROM projects q WHERE q.organization_id = $1 AND q.id = $4) \
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
}
