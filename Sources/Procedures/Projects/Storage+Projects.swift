import TimeclockDomain

extension Project {
  fileprivate static let pages = OwnedPages(of: "r", flag: "archived", user: "$4") { table.page(where: $0) }
  /// The project stays as it is while others refer to it in the same way.
  fileprivate static let lockedForReference = table.locked("FOR SHARE OF r")
}

extension Storage {
  /// Keeps a new project.
  ///
  /// - Parameter ownedLimit: The most projects that a member owns.
  /// - Throws: `.tooManyProjects` for one more than the owner may have;
  ///   `.notFound(.member)` for an owner who is no member; `.memberDeactivated`.
  package func createProject(
    _ project: Project, in organization: OrganizationKey, ownedLimit: Int, context: ChangeContext,
    recording: AnswerRecording<Project>?
  ) async throws -> Project {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let owner = try await transaction.lockOwner(project.ownerID, in: organization)
      try await transaction.requireRoom(
        for: owner, in: OwnedCounts.projects, of: organization, atMost: ownedLimit)
      try await transaction.create(project, of: owner, in: organization, context)
      return project
    }
  }

  /// One project; nil if the organization has none with this id.
  package func project(_ id: ProjectID, in organization: OrganizationKey) async throws -> Project? {
    try await record(id, in: organization)
  }

  /// A page of projects, in the order in which they were made.
  package func projects(_ query: ProjectQuery) async throws -> Page<Project, RowCursor> {
    let (statement, values) = Project.pages.page(of: query.owners, isFlagged: query.isArchived)
    return try await records(
      statement, of: query.organization, after: query.cursor, limit: query.limit, and: values)
  }

  /// Changes a project: reads it, lets `change` change it, raises the version and writes it back, all in one
  /// transaction. A change that changes nothing leaves the version too.
  ///
  /// - Throws: `.notFound(.project)`; `.changed` when the version is another; any error of `change`. Then nothing is
  ///   changed.
  package func updateProject(
    _ update: ProjectUpdate, _ change: @escaping @Sendable (inout Project) throws -> Void
  ) async throws -> Project {
    try await updateRecord(update, change)
  }

  /// Deletes a project, and handles its tasks and its segments by `mode`, each with a change of its own, all in one
  /// transaction. Tasks keep no project from being deleted, segments do: without a mode, tasks are detached.
  ///
  /// - Throws: `.notFound(.project)`; `.changed` when the version is another; `.projectInUse` without a mode;
  ///   `.reasonRequired` if segments of others are to be deleted; `.periodLocked` if marks bind some of them. Then nothing is
  ///   changed.
  package func deleteProject(_ deletion: ProjectUpdate, mode: ProjectDeletionMode?) async throws {
    let organization = deletion.organization
    try await write(RecordWrite(.organization(organization), isLong: true), recording: nil) { transaction in
      if mode != nil { try await transaction.lockSegmentOwners(ofProject: deletion.id, in: organization) }
      let found = try await transaction.require(deletion, by: Project.table.lockedForDeletion)
      try await transaction.lockTasks(ofProject: found.number, in: organization)
      // Locks the members that have begun a segment since. No other member can any more.
      if mode != nil { try await transaction.lockSegmentOwners(ofProject: deletion.id, in: organization) }
      try await transaction.clearSegments(
        ofProject: found.number, mode, in: organization, deletion.context)
      try await transaction.clear(project: found.number, mode ?? .detach, in: organization, deletion.context)
      try await transaction.delete(found, in: organization, deletion.context)
    }
  }
}

extension RecordTransaction {
  /// The project to which something is to refer; nil if there is none with this id, or none is asked for.
  func lockProject(
    _ id: ProjectID?, in organization: OrganizationKey
  ) async throws -> NumberedRecord<Project>? {
    guard let id else { return nil }
    return try await first(
      Project.lockedForReference, [.key(organization), .identifier(id)], NumberedRecord.init)
  }

  /// The project that is to be deleted, to which nothing begins to refer; nil if there is none with this id.
  func lockProjectForDeletion(
    _ id: ProjectID, in organization: OrganizationKey
  ) async throws -> NumberedRecord<Project>? {
    try await first(
      Project.table.lockedForDeletion, [.key(organization), .identifier(id)], NumberedRecord.init)
  }
}
