import Records
import TimeclockDomain

extension PostgreSQLStorage {
  package func importTimeEntries(
    _ batch: ImportBatch, isDryRun: Bool, recording: AnswerRecording<ImportOutcome>?
  ) async throws -> ImportOutcome {
    let kind = RecordWrite(
      .organization(batch.organization), changesAccess: !batch.newMembers.isEmpty, isLong: true)
    do {
      return try await write(kind, recording: recording) { try await $0.take(batch, isDryRun: isDryRun) }
    } catch let nothing as NothingImported {
      return nothing.outcome
    }
  }
}

extension PostgreSQLRecords {
  /// The number of entries that go to the database in one round trip.
  private static var importRoundTrip: Int { 500 }

  /// Adds the members and keeps the entries of a batch. Throws `NothingImported` for a dry run.
  fileprivate func take(_ batch: ImportBatch, isDryRun: Bool) async throws -> ImportOutcome {
    var members: [Result<CreatedMember, TimeclockError>] = []
    for account in batch.newMembers { members.append(try await add(account, of: batch)) }
    var refusals: [Int: TimeclockError] = [:]
    var new: [NewTimeEntry] = []
    for (place, entry) in batch.entries.enumerated() {
      do {
        new.append(try entry.resolved(among: members, context: batch.context))
      } catch let error as TimeclockError {
        refusals[place] = error
      }
    }
    var kept = try await keep(new)[...]
    let outcome = ImportOutcome(
      members: members,
      entries: batch.entries.indices.map { place in
        refusals[place].map { .failure($0) } ?? kept.popFirst() ?? .failure(.notFound(.member))
      })
    guard !isDryRun else { throw NothingImported(outcome) }
    return outcome
  }

  private func keep(_ new: [NewTimeEntry]) async throws -> [Result<TimeEntry, TimeclockError>] {
    try await transaction.lockMembers(of: new)
    var outcomes: [Result<TimeEntry, TimeclockError>] = []
    for begin in stride(from: 0, to: new.count, by: Self.importRoundTrip) {
      outcomes += try await transaction.create(
        Array(new[begin..<min(begin + Self.importRoundTrip, new.count)]))
    }
    return outcomes
  }
}
