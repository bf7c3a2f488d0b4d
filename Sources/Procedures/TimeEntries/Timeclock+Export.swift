import TimeclockDomain

/// Entries on their way out, read a page at a time.
///
/// The caller's right to see them is checked when the export begins. An entry that is written meanwhile may be in it or
/// not.
package struct TimeEntryExport: Sendable {
  private let query: TimeEntryExportQuery
  private let storage: any Storage
  /// The end of an active entry's duration, the same for all pages.
  package let now: Instant

  fileprivate init(query: TimeEntryExportQuery, storage: any Storage, now: Instant) {
    self.query = query
    self.storage = storage
    self.now = now
  }

  /// Hands the next entries to `append`, as `TimeEntryExportStorage.exportTimeEntries` says.
  package func page<Output: Sendable>(
    after cursor: TimeEntryExportCursor?, into output: Output,
    _ append: @escaping @Sendable (inout Output, ExportedTimeEntry) -> Bool
  ) async throws -> TimeEntryExportPage<Output> {
    var query = query
    query.cursor = cursor
    return try await storage.exportTimeEntries(query, into: output, append)
  }
}

extension Timeclock {
  /// The entries that a list of the same request shows on all its pages; its cursor and its limit do not matter.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.invalidDateRange`; `MissingTimeZone`. Its pages throw
  ///   `.notFound(.session)`.
  package func timeEntryExport(
    of request: TimeEntryListRequest, for caller: Membership
  ) async throws -> TimeEntryExport {
    let (users, range) = try await scope(of: request, for: caller)
    return TimeEntryExport(
      query: TimeEntryExportQuery(
        organization: caller.key.organization, users: users, range: range, status: request.status,
        session: request.sessionID, filter: request.filter),
      storage: storage, now: clock.now)
  }

  /// The caller's own entries, if no beginning is stated those of the last 366 days of the caller's zone up to the end.
  ///
  /// - Throws: `.invalidDateRange`; `MissingTimeZone`.
  package func calendar(of dates: RequestedDates, for caller: Membership) async throws -> TimeEntryExport {
    var dates = dates
    if dates.range == nil, dates.first == nil {
      dates.first = try (dates.last ?? today(for: caller)).adding(days: 1 - Self.calendarDays)
    }
    return try await timeEntryExport(
      of: TimeEntryListRequest(userIDs: [caller.userID], dates: dates), for: caller)
  }

  /// The number of days that a calendar shows if its beginning is not stated: a whole year, be it a leap year.
  private static let calendarDays = 366
}
