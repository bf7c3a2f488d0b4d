import TimeclockDomain

/// The storage's search for the entries that nobody clocks out of (`Policy.autoClockOutSeconds`), and their closing.
package protocol ForgottenEntryStorage: Sendable {
  /// The organizations that have an entry which is due to be closed. Costs as much as there are organizations that
  /// want it, however many entries there are.
  func organizationsWithForgottenEntries(at now: Instant) async throws -> [OrganizationKey]

  /// The number of active entries, of all organizations, that are open for longer than the organization's policy has it
  /// (`Policy.maximumSeconds`). Costs as much as there are organizations, and such entries.
  func countOfEntriesOverMaximum(at now: Instant) async throws -> Int

  /// The time of a change since an instant, of any organization, or else of the one that was logged last; nil if there is
  /// none. Costs a row of each organization at most, and one of a few organizations if there is work going on.
  func newestChange(orAnySince time: Instant) async throws -> Instant?

  /// Closes entries that are due by the organization's policy, as `TimeEntry.closeIfForgotten` does, those that began
  /// first; each is logged with the reason for it.
  ///
  /// An entry whose member clocks out at the same moment is closed once, by the first of the two writers. An entry that
  /// another writer is just changing may be left for the next time.
  ///
  /// - Parameters:
  ///   - limit: The most entries to close, at least 1.
  ///   - context: The author and the time of the closing; the time decides which entries are due.
  /// - Returns: The entries as they are afterwards.
  func closeForgottenEntries(
    in organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> [TimeEntry]
}
