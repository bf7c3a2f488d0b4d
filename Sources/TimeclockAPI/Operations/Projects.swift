import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the projects that the caller may see.
  static let listProjects = Operation("listProjects") { request in
    let (isArchived, owner, limit, cursor, list) = try request.query { query in
      let list = try request.list("listProjects", query)
      return (
        query.bool("archived"), query.choice("owner") as OwnerFilter?, query.limit(),
        query.cursor(in: list) as RowCursor?, list
      )
    }
    try request.requireNoBody()
    let page = try await request.timeclock.projects(
      isArchived: isArchived, owner: owner, after: cursor, limit: limit, for: request.requireMembership())
    return page.response("projects", of: list) { $1.write(to: &$0) }
  }

  /// Makes a project.
  static let createProject = Operation("createProject") { request in
    try request.requireNoQuery()
    let (new, owner) = try request.body { body in
      (body.stated(forNew: true) as Stated<Project>, body.optionalIdentifier("ownerId") as UserID?)
    }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answerOfNew) { recording in
      try await request.timeclock.createProject(new, of: owner, by: membership, recording: recording)
    }
  }

  /// Returns one project.
  static let getProject = Operation("getProject") { request in
    try await request.answer { try await request.timeclock.project($0, for: $1) }
  }

  /// Changes a project, or archives it.
  static let updateProject = Operation("updateProject") { request in
    let timeclock = request.timeclock
    return try await request.change(timeclock.project(_:for:), by: timeclock.updateProject)
  }

  /// Deletes a project.
  static let deleteProject = Operation("deleteProject") { request in
    let (mode, reason, version) = try request.query {
      ($0.choice("segments") as ProjectDeletionMode?, $0.text("reason"), $0.sequence("version"))
    }
    try request.requireNoBody()
    let id: ProjectID = try request.pathIdentifier(.project)
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.project(id, for: membership).version
    }
    try await request.timeclock.deleteProject(
      id, mode: mode, reason: reason, expectedVersion: expectedVersion, by: membership)
    return .noContent
  }
}
