import TimeclockDomain

extension PostgreSQLStorage {
  package func createSession(
    _ session: Session, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<SessionDetails>?
  ) async throws -> SessionDetails {
    defer { noteChange() }
    return try await onLoop { connections in
      try await connections.transaction(in: .organization(organization)) { transaction in
        try await transaction.once(recording) {
          let work = SessionWork(transaction: transaction, organization: organization)
          let users = try await work.lockUsers(session.assigneeIDs)
            .required(session.assigneeIDs, assigned: [])
          try await work.insert(session, assignees: users)
          let created = try await work.require(session.id).details
          try await transaction.log(from: nil, to: .session(created.session), in: organization, context)
          return created
        }
      }
    }
  }

  package func session(_ id: SessionID, in organization: OrganizationKey) async throws -> SessionDetails? {
    try SessionRows.sessions(
      await read(
        SessionRows.byID, [.integer(organization.value), .identifier(id)], in: .organization(organization))
    ).first?.details
  }

  package func sessions(_ query: SessionQuery) async throws -> Page<SessionDetails, SessionCursor> {
    let selection = SessionSelection(query)
    let found = try SessionRows.sessions(
      await read(
        selections.statement(selection.sql), selection.values, in: .organization(query.organization)))
    let shown = found.prefix(PageLimit.clamped(query.limit))
    let last = shown.last.map { SessionCursor(date: $0.details.session.date, row: $0.row) }
    return Page(elements: shown.map(\.details), next: found.count > shown.count ? last : nil)
  }

  package func updateSession(
    _ update: SessionUpdate, _ change: @escaping @Sendable (inout Session) throws -> Void
  ) async throws -> SessionDetails {
    defer { noteChange() }
    return try await onLoop { connections in
      try await connections.transaction(in: .organization(update.organization)) { transaction in
        let work = SessionWork(transaction: transaction, organization: update.organization)
        let members = try await work.lockUsers(update.assigneeIDs ?? [])
        try await work.lock(update.id, SessionWork.lockForChange)
        let (before, row) = try await work.require(update.id, version: update.expectedVersion)
        var session = before.session
        try change(&session)
        session.restoreFixed(from: before.session)
        session.assigneeIDs = update.assigneeIDs ?? before.session.assigneeIDs
        guard session != before.session else { return before }
        session.version += 1
        session.updatedAt = update.context.time
        try await work.write(session, row: row)
        if session.assigneeIDs != before.session.assigneeIDs {
          let users = try members.required(session.assigneeIDs, assigned: before.session.assigneeIDs)
          try await work.replaceAssignees(ofRow: row, with: users)
        }
        let after = try await work.require(update.id).details
        try await transaction.log(
          from: .session(before.session), to: .session(after.session), in: update.organization, update.context
        )
        return after
      }
    }
  }

  package func deleteSession(_ deletion: SessionDeletion) async throws {
    defer { noteChange() }
    try await onLoop { connections in
      let kind = deletion.detachesEntries ? TransactionKind.long(of: deletion.organization) : .short()
      try await connections.transaction(in: .organization(deletion.organization), kind) { transaction in
        let work = SessionWork(transaction: transaction, organization: deletion.organization)
        if deletion.detachesEntries { try await work.lockUsersOfEntries(of: deletion.id) }
        try await work.lock(deletion.id, SessionWork.lockForDeletion)
        let (before, row) = try await work.require(deletion.id, version: deletion.expectedVersion)
        if deletion.detachesEntries {
          // Those who have clocked in since. Nobody can any more.
          try await work.lockUsersOfEntries(of: deletion.id)
          try await work.detachEntries(fromRow: row, deletion.context)
        } else {
          try await work.requireUnused(row)
        }
        try await work.delete(row)
        try await transaction.log(
          from: .session(before.session), to: nil, in: deletion.organization, deletion.context)
      }
    }
  }
}
