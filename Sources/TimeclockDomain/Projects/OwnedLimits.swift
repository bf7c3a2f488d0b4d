/// The most that one member owns in an organization, hidden and archived included: more than anybody works with, and few
/// enough to be listed whole.
package struct OwnedLimits: Sendable {
  package var tasks: Int
  package var projects: Int

  package init(tasks: Int = 10_000, projects: Int = 2_000) {
    self.tasks = tasks
    self.projects = projects
  }
}

extension TimeclockError {
  package static let tooManyTasks = TimeclockError.plain(
    PlainRefusal(
      "too_many_tasks", against: .state,
      "A member has at most \(OwnedLimits().tasks) tasks of their own, hidden ones included. Delete some first."
    ))

  package static let tooManyProjects = TimeclockError.plain(
    PlainRefusal(
      "too_many_projects", against: .state,
      "A member has at most \(OwnedLimits().projects) projects of their own, archived ones included. Delete some first."
    ))
}
