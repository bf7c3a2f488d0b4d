import TimeclockDomain

extension SQLiteStorage {
  package func createSession(
    _ session: Session, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<SessionDetails>?
  ) async throws -> SessionDetails {
    try await write(recording) { [identifiers] transaction in
      let work = SessionWork(
        transaction: transaction, identifiers: identifiers, organization: organization)
      let users = try work.users(session.assigneeIDs, assigned: [])
      try work.insert(session, assignees: users)
      let created = try work.require(session.id).details
      try transaction.log(from: nil, to: .session(created.session), in: organization, context)
      return created
    }
  }

  package func session(_ id: SessionID, in organization: OrganizationKey) async throws -> SessionDetails? {
    try read { connection in
      try SessionRows(connection: connection, identifiers: identifiers).stored(id, in: organization)?.details
    }
  }

  package func sessions(_ query: SessionQuery) async throws -> Page<SessionDetails, SessionCursor> {
    try await readPage(of: query.organization, limit: query.limit) { [identifiers] connection in
      let selection = SessionSelection(query)
      let rows = SessionRows(connection: connection, identifiers: identifiers)
      let limit = PageLimit.clamped(query.limit)
      var page = Page<SessionDetails, SessionCursor>(elements: [], next: nil)
      var last: SessionCursor?
      try connection.statement(built: selection.sql).forEach(selection.values) { row in
        guard page.elements.count < limit else { return page.next = last }
        page.elements.append(try rows.details(row))
        last = rows.cursor(row)
      }
      return page
    }
  }

  package func updateSession(
    _ update: SessionUpdate, _ change: @escaping @Sendable (inout Session) throws -> Void
  ) async throws -> SessionDetails {
    try await writer.write { [identifiers] transaction in
      let work = SessionWork(
        transaction: transaction, identifiers: identifiers, organization: update.organization)
      let (before, row) = try work.require(update.id, version: update.expectedVersion)
      var session = before.session
      try change(&session)
      session.restoreFixed(from: before.session)
      session.assigneeIDs = update.assigneeIDs ?? before.session.assigneeIDs
      guard session != before.session else { return before }
      session.version += 1
      session.updatedAt = update.context.time
      try work.write(session, row: row)
      if session.assigneeIDs != before.session.assigneeIDs {
        let users = try work.users(session.assigneeIDs, assigned: before.session.assigneeIDs)
        try work.replaceAssignees(ofRow: row, with: users)
      }
      let after = try work.require(update.id).details
      try transaction.log(
        from: .session(before.session), to: .session(after.session), in: update.organization, update.context)
      return after
    }
  }

  package func deleteSession(_ deletion: SessionDeletion) async throws {
    let length = deletion.detachesEntries ? WriteLength.long(deletion.organization) : .short
    try await writer.write(length: length) { [identifiers] transaction in
      let work = SessionWork(
        transaction: transaction, identifiers: identifiers, organization: deletion.organization)
      let (before, row) = try work.require(deletion.id, version: deletion.expectedVersion)
      if deletion.detachesEntries {
        try work.detachEntries(fromRow: row, deletion.context)
      } else {
        try work.requireUnused(row)
      }
      try work.delete(row)
      try transaction.log(
        from: .session(before.session), to: nil, in: deletion.organization, deletion.context)
    }
  }
}
