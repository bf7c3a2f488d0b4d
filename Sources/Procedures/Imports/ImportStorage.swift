import TimeclockDomain

/// The storage of the members and entries that a file holds.
package protocol ImportStorage: Sendable {
  /// Adds people as inactive members, and keeps closed entries of them and of members there are, all in one
  /// transaction: each entry as `TimeEntryStorage.createTimeEntries` keeps it with `.accepted`, and also for members
  /// who are inactive, unless they are anonymized. Members and entries are logged one by one.
  ///
  /// An entry with a segment is kept with it, or refused with `.segmentOverlap` if a segment without an entry is in the
  /// way. Projects and tasks are those of the organization that there are, the oldest one of the name, also archived
  /// and hidden ones; missing ones are made for the first entry that is kept with them.
  ///
  /// A person who is a member by now is not added, and the entries of that new member are refused with `.memberExists`.
  ///
  /// - Parameter isDryRun: Whether nothing is kept and nothing recorded; the result is then the outcome that the import
  ///   would have had.
  func importTimeEntries(
    _ batch: ImportBatch, isDryRun: Bool, recording: AnswerRecording<ImportOutcome>?
  ) async throws -> ImportOutcome
}
