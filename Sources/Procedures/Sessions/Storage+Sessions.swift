import TimeclockDomain

// Members are locked before the session, as a clock-in does it, so that two transactions do not wait for each other.
extension Storage {
  /// Keeps a new session.
  ///
  /// - Throws: `.notFound(.member)` for an assignee who is no member; `.memberDeactivated`.
  package func createSession(
    _ session: Session, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<SessionDetails>? = nil
  ) async throws -> SessionDetails {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let members = try await transaction.lockMembers(session.assigneeIDs, of: organization)
      let users = try members.assignable(session.assigneeIDs, assigned: [])
      let row = try await transaction.insert(session, into: Session.table, of: organization) ?? 0
      try await transaction.assign(users, toSession: row, in: organization)
      let created = try await transaction.requireSession(session.id, in: organization).details
      try await transaction.log(from: nil, to: .session(created.session), in: organization, context)
      return created
    }
  }

  /// One session; nil if the organization has none with this id.
  package func session(_ id: SessionID, in organization: OrganizationKey) async throws -> SessionDetails? {
    let rows = try await read(
      StoredSession.byID, [.key(organization), .identifier(id)], in: .organization(organization), limit: 1,
      StoredSession.init)
    return StoredSession.joined(rows).first?.details
  }

  /// Changes a session: reads it, lets `change` change date, title, times and location, replaces the assignees if the
  /// update says so, raises the version and writes it back, all in one transaction. A change that changes nothing
  /// leaves the version too.
  ///
  /// Members who are assigned already may stay, deactivated or not. The entries of members who no longer are stay as
  /// they are.
  ///
  /// - Throws: `.notFound(.session)`; `.changed` when the version is another; any error of `change`;
  ///   `.notFound(.member)` and `.memberDeactivated` for a new assignee. Then nothing is changed.
  package func updateSession(
    _ update: SessionUpdate, _ change: @escaping @Sendable (inout Session) throws -> Void
  ) async throws -> SessionDetails {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let unseen = try await transaction.assigneesOutOfSight(update)
      let members = try await transaction.lockMembers((update.assigneeIDs ?? []) + unseen, of: organization)
      try await transaction.lock(StoredSession.lockForChange, [.key(organization), .identifier(update.id)])
      let stored = try await transaction.requireSession(
        update.id, in: organization, version: update.expectedVersion)
      let before = stored.details.session
      let changed = try before.changed(at: update.context.time) { session in
        try change(&session)
        session.assigneeIDs = update.assigneeIDs.map { $0 + unseen } ?? before.assigneeIDs
      }
      guard let changed else { return stored.details }
      // Somebody else has just changed the assignees out of sight, who were not locked.
      guard update.assigneeIDs == nil || unseen == before.assigneeIDs.filter({ !update.sight.contains($0) })
      else {
        throw TimeclockError.changed(current: stored.details.current)
      }
      try await transaction.update(changed, in: Session.table, of: organization, key: stored.row)
      if changed.assigneeIDs != before.assigneeIDs {
        let users = try members.assignable(changed.assigneeIDs, assigned: before.assigneeIDs)
        try await transaction.run(StoredSession.unassign, [.key(organization), .integer(stored.row)])
        try await transaction.assign(users, toSession: stored.row, in: organization)
      }
      let after = try await transaction.requireSession(update.id, in: organization).details
      try await transaction.log(
        from: .session(before), to: .session(after.session), in: organization, update.context)
      return after
    }
  }

  /// Deletes a session and its assignments; with `detachesEntries` it is first taken off the entries that refer to
  /// it, which raises their versions. The former state of each stays in the log of changes.
  ///
  /// - Throws: `.notFound(.session)`; `.changed` when the version is another; `.sessionInUse` while entries
  ///   refer to it. Then nothing is changed.
  package func deleteSession(_ deletion: SessionDeletion) async throws {
    let organization = deletion.organization
    let kind = RecordWrite(.organization(organization), isLong: deletion.detachesEntries)
    try await write(kind, recording: nil) { transaction in
      let values: [RecordValue] = [.key(organization), .identifier(deletion.id)]
      if deletion.detachesEntries { try await transaction.lock(StoredSession.lockOwners, values) }
      try await transaction.lock(StoredSession.lockForDeletion, values)
      let stored = try await transaction.requireSession(
        deletion.id, in: organization, version: deletion.expectedVersion)
      if deletion.detachesEntries {
        // Locks the members that have clocked in since. No other member can any more.
        try await transaction.lock(StoredSession.lockOwners, values)
        try await transaction.detachEntries(fromSession: stored.row, in: organization, deletion.context)
      } else {
        try await transaction.requireUnusedSession(stored.row, in: organization)
      }
      try await transaction.delete(from: Session.table, of: organization, key: stored.row)
      try await transaction.log(
        from: .session(stored.details.session), to: nil, in: organization, deletion.context)
    }
  }
}

extension RecordTransaction {
  /// The assignees who stay when others take the place of those in sight.
  ///
  /// - Throws: `.notFound(.session)`.
  fileprivate func assigneesOutOfSight(_ update: SessionUpdate) async throws -> [UserID] {
    guard update.assigneeIDs != nil, update.sight != .everyone else { return [] }
    let session = try await requireSession(update.id, in: update.organization).details.session
    return session.assigneeIDs.filter { !update.sight.contains($0) }
  }

  /// The session and its row.
  ///
  /// - Parameter version: The version that is meant; nil means any.
  /// - Throws: `.notFound(.session)`, `.changed`.
  fileprivate func requireSession(
    _ id: SessionID, in organization: OrganizationKey, version: Int64? = nil
  ) async throws -> StoredSession {
    let rows = try await read(
      StoredSession.byID, [.key(organization), .identifier(id)], StoredSession.init)
    guard let stored = StoredSession.joined(rows).first else { throw TimeclockError.notFound(.session) }
    try stored.details.requireVersion(version)
    return stored
  }

  fileprivate func assign(
    _ users: [UserKey], toSession row: Int64, in organization: OrganizationKey
  ) async throws {
    try await run(
      StoredSession.assign, each: users.map { [.key(organization), .integer(row), .key($0)] })
  }

  /// Throws `.sessionInUse` while entries refer to the session.
  fileprivate func requireUnusedSession(_ row: Int64, in organization: OrganizationKey) async throws {
    let count = try await first(StoredSession.countEntries, [.key(organization), .integer(row)]) {
      $0.integer("count")
    }
    guard let count, count > 0 else { return }
    throw TimeclockError.sessionInUse(count: Int(count))
  }

  /// Takes the session off its entries, and logs each.
  fileprivate func detachEntries(
    fromSession row: Int64, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    let attached = try await entries(ofSession: row, in: organization)
    guard !attached.isEmpty else { return }
    try await write(
      StoredSession.detach, [.key(organization), .integer(row), .instant(context.time)], rows: attached.count,
      of: "time_entries")
    try await log(
      each: attached.map { (.timeEntry($0), .timeEntry($0.detached(at: context.time))) }, in: organization,
      context)
  }
}

extension [UserID: LockedMember] {
  /// The rows of the users with these ids.
  ///
  /// - Parameter assigned: The users who are assigned already, and may stay though deactivated.
  /// - Throws: `.notFound(.member)`, `.memberDeactivated`.
  fileprivate func assignable(_ ids: [UserID], assigned: [UserID]) throws -> [UserKey] {
    let assigned = Set(assigned)
    return try ids.map { id in
      guard let member = self[id] else { throw TimeclockError.notFound(.member) }
      guard member.isActive || assigned.contains(id) else { throw TimeclockError.memberDeactivated }
      return member.user
    }
  }
}
