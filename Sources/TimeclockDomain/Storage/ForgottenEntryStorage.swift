/// How a storage finds and closes the entries that nobody clocks out of (`Policy.autoClockOutSeconds`).
package protocol ForgottenEntryStorage: Sendable {
  /// The organizations that have an entry which is due to be closed. Costs as much as there are organizations that
  /// want it, however many entries there are.
  func organizationsWithForgottenEntries(at now: Instant) async throws -> [OrganizationKey]

  /// When the change was made that was logged last, of whatever organization; nil where there is none. Costs a row of
  /// each organization at most.
  func newestChange() async throws -> Instant?

  /// Closes entries that are due by the organization's policy, as `TimeEntry.closeIfForgotten` does, those that began
  /// first; each is logged with the reason for it.
  ///
  /// An entry whose member clocks out at the same moment is closed once, by whoever is first. What somebody else is
  /// just writing may be left for the next time.
  ///
  /// - Parameters:
  ///   - limit: The most entries to close, at least 1.
  ///   - context: Who does it, and when: which entries are due at that time.
  /// - Returns: What the entries became.
  func closeForgottenEntries(
    in organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> [TimeEntry]
}
