/// The public id of a task.
package typealias TaskID = Identifier<WorkTask>

/// A piece of work, of a project or of none: the organization's, or a member's own. `Task` is the name of Swift's own.
package struct WorkTask: ShapedRecord, OwnedResource {
  package var head: Head<WorkTask>
  package var ownerID: UserID?
  package var projectID: ProjectID?
  package var name = ""
  package var isHidden = false

  package init(head: Head<WorkTask>) {
    self.head = head
  }

  package static let shape = Shape<WorkTask>(
    .task, list: "tasks", owner: .optional(\.ownerID), listFlag: "hidden",
    fields: [
      .reference("projectId", \.projectID),
      .text("name", \.name, isPersonal: true, rule: name),
      .flag("hidden", \.isHidden, onCreate: .later),
    ])
}

extension WorkTask {
  /// The most code points a task's name may have.
  package static let maximumNameCharacters = 100

  /// The name without white space around it.
  ///
  /// - Throws: `TimeclockError.invalidTaskName` when nothing is left, it is longer than 100 code points, or it holds
  ///   control characters, new lines or bidirectional overrides.
  package static func name(_ text: String) throws -> String {
    let trimmed = Text.trimmed(text)
    guard !trimmed.isEmpty, Text.isLine(trimmed, maximumCharacters: maximumNameCharacters) else {
      throw TimeclockError.invalidTaskName
    }
    return trimmed
  }

  /// The task once its project is deleted, at a time.
  package func detached(at time: Instant) -> WorkTask {
    var detached = self
    detached.projectID = nil
    detached.version += 1
    detached.updatedAt = time
    return detached
  }

  /// Refuses a project in which the task may not be: one of another member than the task is, or an archived one. A
  /// member's own has only tasks of that member, for others learn nothing of it.
  ///
  /// - Throws: `TimeclockError.projectNotFound`, `.projectArchived`.
  package func requirePlace(in project: Project) throws {
    guard project.ownerID == nil || project.ownerID == ownerID else { throw TimeclockError.projectNotFound }
    guard !project.isArchived else { throw TimeclockError.projectArchived }
  }
}

extension TimeclockError {
  package static let invalidTaskName = TimeclockError.plain(
    PlainRefusal(
      "invalid_name", against: .rule,
      "The name of a task has 1 to \(WorkTask.maximumNameCharacters) characters, none of them control characters"
    ))

  /// The project that a body names is none, or none for the resource.
  package static let projectNotFound = TimeclockError.plain(
    PlainRefusal(
      "project_not_found", against: .rule, "There is no such project, or this task cannot belong to it."))

  package static let projectArchived = TimeclockError.plain(
    PlainRefusal("project_archived", against: .rule, "The project is archived."))
}
