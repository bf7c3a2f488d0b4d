import TimeclockDomain

/// Entries on their way out, read a page at a time.
///
/// The caller's right to see them is checked when the export begins. An entry that is written meanwhile may be in it or
/// not.
package struct TimeEntryExport: Sendable {
  private let query: TimeEntryExportQuery
  private let storage: any Storage
  /// The entries that are exported of those that the query gives; nil for all of them.
  private let counted: CountedEntries?
  /// The entries to whose change their member objected when the export began, if that is shown.
  private let objected: Set<TimeEntryID>
  /// Whether a representative reads them.
  private let isRepresented: Bool
  /// The end of an active entry's duration, the same for all pages.
  package let now: Instant

  fileprivate init(
    query: TimeEntryExportQuery, counted: CountedEntries?, objected: Set<TimeEntryID>, isRepresented: Bool,
    storage: any Storage, now: Instant
  ) {
    self.query = query
    self.counted = counted
    self.objected = objected
    self.isRepresented = isRepresented
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
    return try await storage.exportTimeEntries(query, into: output) {
      [counted, objected, isRepresented] output, exported in
      var exported = exported
      if let counted {
        guard let entry = counted.counted(exported.entry) else { return true }
        exported.entry = entry
      }
      exported.isObjected = !objected.isEmpty && objected.contains(exported.entry.id)
      return append(&output, isRepresented ? RepresentativeView.shown(exported) : exported)
    }
  }
}

extension Timeclock {
  /// The entries that a list of the same request shows on all its pages; its cursor and its limit do not matter.
  ///
  /// - Parameters:
  ///   - counting: Whose dates those of the request and of the entries are: those that members' time counts for, or, if nil,
  ///     the entries' own.
  ///   - operation: The operation by which representatives of a group may read, as in a list; nil if they may not.
  ///   - showsObjections: Whether the entries say if their member objects to a change of them; never to representatives.
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.invalidDateRange`; `MissingTimeZone`. Its pages throw
  ///   `.notFound(.session)`.
  package func timeEntryExport(
    of request: TimeEntryListRequest, in counting: CountingZone? = nil,
    by operation: RecordRead.Operation? = nil, showsObjections: Bool = true, for caller: Membership
  ) async throws -> TimeEntryExport {
    let scope = try await scope(of: request, by: operation, for: caller)
    let members = MemberSelection(one: scope.users, among: scope.among)
    let counted =
      switch counting {
      case .payroll: try await countedEntries(of: request, by: members, for: caller)
      case nil: nil as CountedEntries?
      }
    try await keepRead(
      by: caller, as: scope.representation, from: scope.dates.first, through: scope.dates.last)
    let objected =
      showsObjections && scope.representation == nil
      ? try await storage.objectedEntries(of: members, in: caller.key.organization) : []
    return TimeEntryExport(
      query: TimeEntryExportQuery(
        organization: caller.key.organization, users: scope.users, among: scope.among,
        range: counted?.range ?? scope.range, status: request.status, session: request.sessionID,
        filter: request.filter),
      counted: counted, objected: objected, isRepresented: scope.representation != nil, storage: storage,
      now: clock.now)
  }

  /// The entries of a request about the dates that members' time counts for. Today is the organization's.
  ///
  /// - Throws: `.invalidDateRange`; `MissingTimeZone`.
  private func countedEntries(
    of request: TimeEntryListRequest, by members: MemberSelection, for caller: Membership
  ) async throws -> CountedEntries {
    let zone = try zone(stored: caller.organizationTimeZone)
    let (first, last) = try await ends(
      of: request.dates, around: zone.localDate(at: clock.now), for: caller)
    return CountedEntries(
      by: try await schedules(of: members, for: caller, by: \.userID),
      others: Schedule(rows: [], organizationZone: zone), from: first, through: last, match: request.match)
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
      of: TimeEntryListRequest(userIDs: [caller.userID], dates: dates), showsObjections: false, for: caller)
  }

  /// The number of days that a calendar shows if its beginning is not stated: a whole year, be it a leap year.
  private static let calendarDays = 366
}

extension MemberSelection {
  /// The one of the owners, those among whom they are, or everybody, of whom several owners are a part.
  fileprivate init(one users: [UserKey]?, among: MemberSelection) {
    if let users, users.count == 1 {
      self = .member(users[0])
    } else {
      self = users == nil ? among : .everybody
    }
  }
}
