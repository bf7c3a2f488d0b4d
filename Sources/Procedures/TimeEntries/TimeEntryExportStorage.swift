import TimeclockDomain

/// The storage's readings for exports of many time entries.
package protocol TimeEntryExportStorage: Sendable {
  /// Hands entries, one after the other, to `append`, in an order that the database has at hand, and returns the place
  /// to continue at.
  ///
  /// Entries come member by member, within a member the oldest date first, then the oldest creation; those of one
  /// session come in the order of their dates instead. Each call is a read of its own, so that nothing is held while a
  /// client takes its page: an entry is as it was when its page was read. `append` never runs on an event loop.
  ///
  /// - Parameters:
  ///   - output: The value that `append` adds to; comes back with the page.
  ///   - append: Takes an entry; false if it has room for no more.
  /// - Throws: `.notFound(.session)` when the query names a session that the organization does not have.
  func exportTimeEntries<Output: Sendable>(
    _ query: TimeEntryExportQuery, into output: Output,
    _ append: @escaping @Sendable (inout Output, ExportedTimeEntry) -> Bool
  ) async throws -> TimeEntryExportPage<Output>
}
