/// A project as a member states it.
package struct NewProjectRequest: Sendable {
  package var name: String
  package var client: String?
  /// Nil means the standard color.
  package var color: String?
  package var isBillable: Bool
  /// The owner; nil means the caller for a member, and the organization for a manager.
  package var ownerID: UserID?

  package init(
    name: String, client: String? = nil, color: String? = nil, isBillable: Bool = false,
    ownerID: UserID? = nil
  ) {
    self.name = name
    self.client = client
    self.color = color
    self.isBillable = isBillable
    self.ownerID = ownerID
  }
}

/// Changes of a project; nil leaves a value as it is.
package struct ProjectChanges: Sendable {
  package var name: String?
  /// The inner nil takes the client away.
  package var client: String??
  package var color: String?
  package var isArchived: Bool?
  package var isBillable: Bool?

  package init(
    name: String? = nil, client: String?? = nil, color: String? = nil, isArchived: Bool? = nil,
    isBillable: Bool? = nil
  ) {
    self.name = name
    self.client = client
    self.color = color
    self.isArchived = isArchived
    self.isBillable = isBillable
  }
}

extension Timeclock {
  /// Makes a project: a member one of their own, a manager one of anybody's or of the organization.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.memberDeactivated`, `.invalidName`, `.invalidColor`,
  ///   `.tooManyProjects`.
  package func createProject(
    _ request: NewProjectRequest, by caller: Membership, recording: AnswerRecording<Project>? = nil
  ) async throws -> Project {
    let owner = try await ownerOfNew(stated: request.ownerID, by: caller)
    let now = clock.now
    let project = Project(
      id: identifiers.next(at: now), organizationID: caller.organizationID,
      ownerID: owner, name: try Name.validated(request.name),
      client: try request.client.flatMap(Project.client),
      color: try request.color.map(ProjectColor.init(_:)) ?? .standard, isArchived: false,
      isBillable: request.isBillable, version: 1, createdAt: now, updatedAt: now)
    return try await storage.createProject(
      project, in: caller.key.organization, ownedLimit: ownedLimits.projects,
      context: caller.change("createProject", at: now),
      recording: recording)
  }

  /// One project: any for a manager, the organization's and their own for a member.
  ///
  /// - Throws: `.notFound(.project)`, also for another member's own, of which a member learns nothing.
  package func project(_ id: ProjectID, for caller: Membership) async throws -> Project {
    guard let found = try await storage.project(id, in: caller.key.organization), found.isVisible(to: caller)
    else { throw TimeclockError.notFound(.project) }
    return found
  }

  /// A page of projects in the order in which they were made.
  ///
  /// - Parameters:
  ///   - isArchived: Only archived ones, or only others; nil means all.
  ///   - owner: Only the caller's own, or only the organization's; nil means all that the caller may see.
  package func projects(
    isArchived: Bool?, owner: OwnerFilter?, after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Project, RowCursor> {
    try await storage.projects(
      ProjectQuery(
        organization: caller.key.organization, owners: owner.owners(for: caller), isArchived: isArchived,
        cursor: cursor, limit: limit))
  }

  /// Changes a project.
  ///
  /// - Throws: `.invalidName`, `.invalidColor`, `.forbidden`, what `project` and `ProjectStorage.updateProject`
  ///   throw.
  package func updateProject(
    _ id: ProjectID, _ changes: ProjectChanges, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Project {
    let name = try changes.name.map(Name.validated)
    let client = try changes.client.map { try $0.flatMap(Project.client) }
    let color = try changes.color.map(ProjectColor.init(_:))
    try await project(id, for: caller).requireWritable(by: caller)
    return try await storage.updateProject(
      ProjectUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        context: caller.change("updateProject", at: clock.now))
    ) { project in
      project.name = name ?? project.name
      if let client { project.client = client }
      project.color = color ?? project.color
      project.isArchived = changes.isArchived ?? project.isArchived
      project.isBillable = changes.isBillable ?? project.isBillable
    }
  }

  /// Deletes a project.
  ///
  /// - Parameter mode: What becomes of its tasks and segments; nil where the caller says nothing.
  /// - Throws: `.forbidden`, `.reasonInvalid`, what `project` and `ProjectStorage.deleteProject` throw.
  package func deleteProject(
    _ id: ProjectID, mode: ProjectDeletionMode?, reason: String? = nil, expectedVersion: Int64?,
    by caller: Membership
  ) async throws {
    try await project(id, for: caller).requireWritable(by: caller)
    let reason = try reason.flatMap(Reason.sanitized)
    try await storage.deleteProject(
      ProjectUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        context: caller.change("deleteProject", at: clock.now, reason: reason)),
      mode: mode)
  }
}
