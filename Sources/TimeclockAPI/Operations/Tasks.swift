import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the tasks that the caller may see.
  static let listTasks = Operation("listTasks") { request in
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
  static let createTask = Operation("createTask") { request in
    try request.requireNoQuery()
    let (new, owner) = try request.body { body in
      (body.stated(forNew: true) as Stated<WorkTask>, body.optionalIdentifier("ownerId") as UserID?)
    }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answerOfNew) { recording in
      try await request.timeclock.createTask(new, of: owner, by: membership, recording: recording)
    }
  }

  /// Returns one task.
  static let getTask = Operation("getTask") { request in
    try await request.answer { try await request.timeclock.task($0, for: $1) }
  }

  /// Changes a task, hides it, or moves it to another project.
  static let updateTask = Operation("updateTask") { request in
    let timeclock = request.timeclock
    return try await request.change(timeclock.task(_:for:), by: timeclock.updateTask)
  }

  /// Deletes a task.
  static let deleteTask = Operation("deleteTask") { request in
    let timeclock = request.timeclock
    return try await request.delete(timeclock.task(_:for:), by: timeclock.deleteTask)
  }
}
