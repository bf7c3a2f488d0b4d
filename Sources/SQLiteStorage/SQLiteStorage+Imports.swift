import TimeclockDomain

extension SQLiteStorage {
  package func importTimeEntries(
    _ batch: ImportBatch, isDryRun: Bool, recording: AnswerRecording<ImportOutcome>?
  ) async throws -> ImportOutcome {
    let body = { @Sendable (transaction: SQLiteTransaction) in
      let outcome = try transaction.take(batch)
      guard !isDryRun else { throw NothingImported(outcome) }
      return outcome
    }
    let length = WriteLength.rows(batch.newMembers.count + batch.entries.count, of: batch.organization)
    do {
      return batch.newMembers.isEmpty
        ? try await write(recording, length: length, body)
        : try await changeAccess(recording, length: length, body)
    } catch let nothing as NothingImported {
      return nothing.outcome
    }
  }
}

extension SQLiteTransaction {
  /// Adds the members and keeps the entries of a batch.
  fileprivate func take(_ batch: ImportBatch) throws -> ImportOutcome {
    // What is refused has written nothing: it is judged before, or by the statement that inserts it, which undoes itself
    // (sqlite.org/lang_conflict.html, ABORT).
    let members = try batch.newMembers.map { account in
      try outcome {
        try createMember(
          account,
          NewMember(organization: batch.organization, role: .member, timeZone: nil, isActive: false),
          context: batch.context)
      }
    }
    // Ids of its own to remember: the rows of new members may yet be others' when this is undone.
    let work = TimeEntryWork(transaction: self, identifiers: PublicIdentifiers())
    let entries = try batch.entries.map { entry in
      try outcome { try work.create(entry.resolved(among: members, context: batch.context)) }
    }
    return ImportOutcome(members: members, entries: entries)
  }

  /// What `body` returns, or which rule it refused by.
  private func outcome<Value>(_ body: () throws -> Value) throws -> Result<Value, TimeclockError> {
    do { return .success(try body()) } catch let error as TimeclockError {
      return .failure(error)
    }
  }
}
