import TimeclockDomain

extension Timeclock {
  /// Makes a project: a member one of their own, a manager one of anybody's or of the organization.
  ///
  /// - Parameter owner: Nil means the caller for a member, and the organization for a manager.
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.memberDeactivated`, `.invalidName`, `.invalidColor`,
  ///   `.tooManyProjects`.
  package func createProject(
    _ stated: Stated<Project>, of owner: UserID? = nil, by caller: Membership,
    recording: AnswerRecording<Project>? = nil
  ) async throws -> Project {
    let owner = try await ownerOfNew(stated: owner, by: caller)
    let now = clock.now
    var project = Project(
      head: Head(id: identifiers.next(at: now), organizationID: caller.organizationID, at: now),
      try stated.validated())
    project.ownerID = owner
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
  /// - Throws: `.invalidName`, `.invalidColor`, `.forbidden`, and the errors of `project` and
  ///   `ProjectStorage.updateProject`.
  package func updateProject(
    _ id: ProjectID, _ changes: Stated<Project>, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Project {
    let change = try changes.validated()
    try await project(id, for: caller).requireWritable(by: caller)
    return try await storage.updateProject(
      ProjectUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        context: caller.change("updateProject", at: clock.now)), change)
  }

  /// Deletes a project.
  ///
  /// - Parameter mode: The fate of its tasks and segments; nil if the caller says nothing.
  /// - Throws: `.forbidden`, `.reasonInvalid`, and the errors of `project` and `ProjectStorage.deleteProject`.
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

extension Timeclock {
  /// The owner of something that the caller makes: a member themselves, a manager the organization if they state
  /// nobody.
  ///
  /// - Throws: `.notFound(.member)`; `.forbidden`, to members also if the policy leaves it to managers.
  func ownerOfNew(stated owner: UserID?, by caller: Membership) async throws -> UserID? {
    if !caller.policy.membersMayCreateProjects { try caller.require(.manager) }
    guard let owner else { return caller.role >= .manager ? nil : caller.userID }
    return try await subject(owner, for: caller).userID
  }
}
