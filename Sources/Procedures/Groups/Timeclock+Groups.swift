import TimeclockDomain

extension Timeclock {
  /// Makes a group.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, and the errors of `Storage.createGroup`.
  package func createGroup(
    _ stated: Stated<Group>, by caller: Membership, recording: AnswerRecording<Group>? = nil
  ) async throws -> Group {
    try caller.require(.admin)
    let now = clock.now
    let group = Group(
      head: Head(id: identifiers.next(at: now), organizationID: caller.organizationID, at: now),
      try stated.validated())
    return try await storage.createGroup(
      group, in: caller.key.organization, context: caller.change("createGroup", at: now),
      recording: recording)
  }

  /// One group, for managers; for those who see own groups alone one that they manage, with the people that they see.
  ///
  /// - Throws: `.forbidden`, `.notFound(.group)`.
  package func group(_ id: GroupID, for caller: Membership) async throws -> Group {
    try caller.require(.manager)
    guard let found = try await storage.group(id, in: caller.key.organization),
      !caller.seesOwnGroups || found.managerIDs.contains(caller.userID)
    else { throw TimeclockError.notFound(.group) }
    return found.shown(to: caller)
  }

  /// A page of groups in the order in which they were made, for managers: as `group` shows one.
  ///
  /// - Throws: `.forbidden`.
  package func groups(
    after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Group, RowCursor> {
    try caller.require(.manager)
    let manager = caller.seesOwnGroups ? caller.key.user : nil
    var page = try await storage.groups(
      of: caller.key.organization, with: manager, isManager: true, after: cursor, limit: limit)
    page.elements = page.elements.map { $0.shown(to: caller) }
    return page
  }

  /// Changes a group; a list of people that is stated takes the place of the one there.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, and the errors of `Storage.updateGroup`.
  package func updateGroup(
    _ id: GroupID, _ changes: Stated<Group>, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Group {
    try caller.require(.admin)
    let change = try changes.validated()
    // The people that the change states are those of a group that had none.
    let stated = Group(
      head: Head(id: id, organizationID: caller.organizationID, at: .earliest), change)
    return try await storage.updateGroup(
      update(.update, of: id, expectedVersion, by: caller), people: stated.people, change)
  }

  /// Deletes a group.
  ///
  /// - Throws: `.forbidden`, and the errors of `Storage.deleteGroup`.
  package func deleteGroup(_ id: GroupID, expectedVersion: Int64?, by caller: Membership) async throws {
    try caller.require(.admin)
    try await storage.deleteGroup(update(.delete, of: id, expectedVersion, by: caller))
  }
}
