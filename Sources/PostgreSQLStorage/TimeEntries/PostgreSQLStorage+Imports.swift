import Procedures
import TimeclockDomain

extension PostgreSQLStorage {
  package func importTimeEntries(
    _ batch: ImportBatch, isDryRun: Bool, recording: AnswerRecording<ImportOutcome>?
  ) async throws -> ImportOutcome {
    let kind = RecordWrite(
      .organization(batch.organization), changesAccess: !batch.newMembers.isEmpty, isLong: true)
    do {
      let outcome = try await write(kind, recording: recording) {
        try await $0.take(batch, isDryRun: isDryRun)
      }
      await gatherFirstStatistics()
      return outcome
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
    let projects = try await lockForWork(of: batch)
    var members: [Result<CreatedMember, TimeclockError>] = []
    for account in batch.newMembers { members.append(try await add(account, of: batch)) }
    let (stated, reasons) = try batch.resolved(among: members)
    var refusals = reasons
    try await transaction.lockMembers(of: stated.map(\.new))
    refusals.merge(try await markRefusals(of: stated, batch.context)) { first, _ in first }
    refusals.merge(try await segmentRefusals(of: stated)) { first, _ in first }
    let resolved = stated.filter { refusals[$0.place] == nil }
    var entries = batch.entries.indices.map { place in
      Result<TimeEntry, TimeclockError>.failure(refusals[place] ?? .notFound(.member))
    }
    for (entry, kept) in zip(resolved, try await keep(resolved.map(\.new))) { entries[entry.place] = kept }
    let outcome = ImportOutcome(
      members: members, entries: entries,
      otherPurposes: try await otherPurposes(of: batch, among: projects, stated, entries),
      work: try await keepWork(of: batch, among: projects, resolved, entries))
    guard !isDryRun else { throw NothingImported(outcome) }
    return outcome
  }

  private func keep(_ new: [NewTimeEntry]) async throws -> [Result<TimeEntry, TimeclockError>] {
    var outcomes: [Result<TimeEntry, TimeclockError>] = []
    for begin in stride(from: 0, to: new.count, by: Self.importRoundTrip) {
      outcomes += try await transaction.create(
        Array(new[begin..<min(begin + Self.importRoundTrip, new.count)]))
    }
    return outcomes
  }
}
