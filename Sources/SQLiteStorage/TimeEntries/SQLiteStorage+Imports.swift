import Procedures
import TimeclockDomain

extension SQLiteStorage {
  package func importTimeEntries(
    _ batch: ImportBatch, isDryRun: Bool, recording: AnswerRecording<ImportOutcome>?
  ) async throws -> ImportOutcome {
    let count = batch.newMembers.count + batch.entries.count
    let kind = RecordWrite(
      .organization(batch.organization), changesAccess: !batch.newMembers.isEmpty,
      isLong: WriteLength.rows(count, of: batch.organization).isLong)
    do {
      return try await write(kind, recording: recording) { records in
        let outcome = try await records.take(batch)
        guard !isDryRun else { throw NothingImported(outcome) }
        return outcome
      }
    } catch let nothing as NothingImported {
      return nothing.outcome
    }
  }
}

extension SQLiteRecords {
  /// Adds the members and keeps the entries of a batch.
  fileprivate func take(_ batch: ImportBatch) async throws -> ImportOutcome {
    let projects = try await lockForWork(of: batch)
    // A refused member or entry has written nothing: it is judged before, or by the statement that inserts it, which
    // undoes itself (sqlite.org/lang_conflict.html, ABORT).
    var members: [Result<CreatedMember, TimeclockError>] = []
    for account in batch.newMembers { members.append(try await add(account, of: batch)) }
    let (stated, reasons) = try batch.resolved(among: members)
    var refusals = reasons
    refusals.merge(try await markRefusals(of: stated, batch.context)) { first, _ in first }
    refusals.merge(try await segmentRefusals(of: stated)) { first, _ in first }
    let resolved = stated.filter { refusals[$0.place] == nil }
    // Ids of its own to remember: the rows of new members may yet be others' when this is undone.
    let work = TimeEntryWork(transaction: transaction, identifiers: PublicIdentifiers())
    var entries = batch.entries.indices.map { place in
      Result<TimeEntry, TimeclockError>.failure(refusals[place] ?? .notFound(.member))
    }
    for entry in resolved { entries[entry.place] = try outcome { try work.create(entry.new) } }
    return ImportOutcome(
      members: members, entries: entries,
      otherPurposes: try await otherPurposes(of: batch, among: projects, stated, entries),
      work: try await keepWork(of: batch, among: projects, resolved, entries))
  }

  /// The value that `body` returns, or the rule by which it refused.
  private func outcome<Value>(_ body: () throws -> Value) throws -> Result<Value, TimeclockError> {
    do { return .success(try body()) } catch let error as TimeclockError {
      return .failure(error)
    }
  }
}
