import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the tasks that the caller may see.
  static let listTasks = Operation(
    "listTasks", .get, "/v1/organizations/{organizationID}/tasks", .role(.member)
  ) { request in
    let (isHidden, project, owner, limit, cursor, list) = try request.query { query in
      let list = try request.list("listTasks", query)
      return (
        query.bool("hidden"), query.identifier("projectId") as ProjectID?,
        query.choice("owner") as OwnerFilter?, query.limit(), query.cursor(in: list) as RowCursor?, list
      )
    }
    try request.requireNoBody()
    let page = try await request.timeclock.tasks(
      isHidden: isHidden, of: project, owner: owner, after: cursor, limit: limit,
      for: request.requireMembership())
    return page.response("tasks", of: list) { $1.write(to: &$0) }
  }

  /// Makes a task.
  static let createTask = Operation(
    "createTask", .post, "/v1/organizations/{organizationID}/tasks", .role(.member)
  ) { request in
    try request.requireNoQuery()
    let new = try request.body { body in
      NewTaskRequest(
        name: body.string("name"), projectID: body.optionalIdentifier("projectId"),
        ownerID: body.optionalIdentifier("ownerId"))
    }
    let membership = try request.requireMembership()
    return try await request.once { created in
      let location = "/v1/organizations/\(created.organizationID)/tasks/\(created.id)"
      return .json(status: .created, version: created.version, location: location, created.payload)
    } perform: { recording in
      try await request.timeclock.createTask(new, by: membership, recording: recording)
    }
  }

  /// Returns one task.
  static let getTask = Operation(
    "getTask", .get, "/v1/organizations/{organizationID}/tasks/{taskId}", .role(.member)
  ) { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let found = try await request.timeclock.task(
      request.pathIdentifier(.task), for: request.requireMembership())
    return .json(version: found.version, found.payload)
  }

  /// Changes a task, hides it, or moves it to another project.
  static let updateTask = Operation(
    "updateTask", .patch, "/v1/organizations/{organizationID}/tasks/{taskId}", .role(.member)
  ) { request in
    try request.requireNoQuery()
    let id: TaskID = try request.pathIdentifier(.task)
    let (changes, version) = try request.optionalBody { ($0.taskChanges(), $0.optionalSequence("version")) }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.task(id, for: membership).version
    }
    let changed = try await request.timeclock.updateTask(
      id, changes, expectedVersion: expectedVersion, by: membership)
    return .json(version: changed.version, changed.payload)
  }

  /// Deletes a task.
  static let deleteTask = Operation(
    "deleteTask", .delete, "/v1/organizations/{organizationID}/tasks/{taskId}", .role(.member)
  ) { request in
    let version = try request.query { $0.sequence("version") }
    try request.requireNoBody()
    let id: TaskID = try request.pathIdentifier(.task)
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.task(id, for: membership).version
    }
    try await request.timeclock.deleteTask(id, expectedVersion: expectedVersion, by: membership)
    return .noContent
  }
}

extension ObjectReader {
  /// Null is a value only for the project, and takes the task out of it.
  fileprivate func taskChanges() -> TaskChanges {
    let isProjectGiven = has("projectId")
    let project: ProjectID? = optionalIdentifier("projectId")
    return TaskChanges(
      name: optionalString("name"), isHidden: optionalBool("hidden"),
      projectID: isProjectGiven ? .some(project) : nil)
  }
}

extension WorkTask {
  /// Writes the contract's WorkTask.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("organizationID", organizationID)
      writer.member("projectId", projectID)
      writer.member("ownerId", ownerID)
      writer.member("name", name)
      writer.member("hidden", isHidden)
      writer.member("createdAt", createdAt)
      writer.member("updatedAt", updatedAt)
      writer.member("version", version)
    }
  }

  /// The contract's WorkTask.
  fileprivate var payload: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}
