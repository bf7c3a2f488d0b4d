import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the projects that the caller may see.
  static let listProjects = Operation(
    "listProjects", .get, "/v1/organizations/{organizationID}/projects", .role(.member)
  ) { request in
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
  static let createProject = Operation(
    "createProject", .post, "/v1/organizations/{organizationID}/projects", .role(.member)
  ) { request in
    try request.requireNoQuery()
    let new = try request.body { body in
      NewProjectRequest(
        name: body.string("name"), client: body.optionalString("client"), color: body.optionalString("color"),
        isBillable: body.optionalBool("billable") ?? false, ownerID: body.optionalIdentifier("ownerId"))
    }
    let membership = try request.requireMembership()
    return try await request.once { created in
      let location = "/v1/organizations/\(created.organizationID)/projects/\(created.id)"
      return .json(status: .created, version: created.version, location: location, created.payload)
    } perform: { recording in
      try await request.timeclock.createProject(new, by: membership, recording: recording)
    }
  }

  /// Returns one project.
  static let getProject = Operation(
    "getProject", .get, "/v1/organizations/{organizationID}/projects/{projectId}", .role(.member)
  ) { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let found = try await request.timeclock.project(
      request.pathIdentifier(.project), for: request.requireMembership())
    return .json(version: found.version, found.payload)
  }

  /// Changes a project, or archives it.
  static let updateProject = Operation(
    "updateProject", .patch, "/v1/organizations/{organizationID}/projects/{projectId}", .role(.member)
  ) { request in
    try request.requireNoQuery()
    let id: ProjectID = try request.pathIdentifier(.project)
    let (changes, version) = try request.optionalBody {
      ($0.projectChanges(), $0.optionalSequence("version"))
    }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.project(id, for: membership).version
    }
    let changed = try await request.timeclock.updateProject(
      id, changes, expectedVersion: expectedVersion, by: membership)
    return .json(version: changed.version, changed.payload)
  }

  /// Deletes a project.
  static let deleteProject = Operation(
    "deleteProject", .delete, "/v1/organizations/{organizationID}/projects/{projectId}", .role(.member)
  ) { request in
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

extension ObjectReader {
  /// Null is a value only for the client, and takes it away.
  fileprivate func projectChanges() -> ProjectChanges {
    let isClientGiven = has("client")
    let client = optionalString("client")
    return ProjectChanges(
      name: optionalString("name"), client: isClientGiven ? .some(client) : nil,
      color: optionalString("color"), isArchived: optionalBool("archived"),
      isBillable: optionalBool("billable"))
  }
}

extension Project {
  /// Writes the contract's Project.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("organizationID", organizationID)
      writer.member("ownerId", ownerID)
      writer.member("name", name)
      writer.member("client", client)
      writer.member("color", color.text)
      writer.member("archived", isArchived)
      writer.member("billable", isBillable)
      writer.member("createdAt", createdAt)
      writer.member("updatedAt", updatedAt)
      writer.member("version", version)
    }
  }

  /// The contract's Project.
  fileprivate var payload: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}
