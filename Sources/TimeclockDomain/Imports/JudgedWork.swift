/// The projects and tasks that a dry run would have made. Each of its transactions is undone, so that the next one makes
/// them again.
package struct JudgedWork: Sendable {
  /// A name, compared by its bytes, as the databases do it.
  private struct Place: Hashable {
    /// The project's client and name, or its id if it was there before; nil for a task of no project.
    var project: [UInt8]?
    var task: [UInt8]?
  }

  private var known: Set<Place> = []

  package init() {}

  /// Takes the projects and tasks of a batch.
  ///
  /// - Returns: The numbers of those that no batch before it would have made.
  package mutating func count(_ work: ImportedWork) -> (projects: Int, tasks: Int) {
    var names: [ProjectID: [UInt8]] = [:]
    for project in work.projects {
      names[project.id] = Array("\(project.client ?? "")\n\(project.name)".utf8)
    }
    let projects = names.values.count { known.insert(Place(project: $0)).inserted }
    let tasks = work.tasks.count { task in
      let project = task.projectID.map { names[$0] ?? Array($0.text.utf8) }
      return known.insert(Place(project: project, task: Array(task.name.utf8))).inserted
    }
    return (projects, tasks)
  }
}
