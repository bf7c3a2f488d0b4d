import TimeclockDomain

extension Timeclock {
  /// A page of entries, newest first.
  ///
  /// The days of `match: .overlap` are those of the organization's zone, from its calendar: 23, 24, 24.5 or
  /// 25 hours long.
  ///
  /// - Parameter operation: The operation by which representatives of a group may read its members' entries, which is on
  ///   record then; nil if they may not.
  /// - Throws: `.notFound(.member)`, `.notFound(.session)`, `.forbidden`, `.invalidDateRange`;
  ///   `MissingTimeZone`.
  package func timeEntries(
    _ request: TimeEntryListRequest, by operation: RecordRead.Operation? = nil, for caller: Membership
  ) async throws -> Page<TimeEntry, TimeEntryCursor> {
    let scope = try await scope(of: request, by: operation, for: caller)
    try await keepRead(
      by: caller, as: scope.representation, from: scope.dates.first, through: scope.dates.last)
    var page = try await storage.timeEntries(
      TimeEntryQuery(
        organization: caller.key.organization, users: scope.users, among: scope.among, range: scope.range,
        status: request.status,
        session: request.sessionID, filter: request.filter, cursor: request.cursor, limit: request.limit))
    if scope.representation != nil { page.elements = page.elements.map(RepresentativeView.shown) }
    return page
  }

  /// The entries that a request is about.
  ///
  /// - Parameter operation: The operation by which representatives of a group may read; nil if they may not.
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`, `.invalidDateRange`; `MissingTimeZone`.
  func scope(
    of request: TimeEntryListRequest, by operation: RecordRead.Operation? = nil, for caller: Membership
  ) async throws -> TimeEntryScope {
    if let representation = try await representation(
      of: request.groupID, request.userIDs, operation, for: caller)
    {
      guard RepresentativeView.permits(request) else { throw TimeclockError.forbidden }
      let people = representation.people.map(\.key)
      let dates = try await ends(of: request.dates, for: caller)
      return TimeEntryScope(
        users: people.isEmpty ? nil : people, among: .group(representation.group), dates: dates,
        range: try range(of: dates, request.match, for: caller), representation: representation)
    }
    let users: [UserKey]? =
      if request.userIDs.isEmpty, caller.role >= .manager {
        nil
      } else if request.userIDs.count > 1 {
        try await users(request.userIDs, for: caller)
      } else {
        [try await subject(request.userIDs.first, for: caller).key.user]
      }
    let group = try await group(request.groupID, with: users ?? [], for: caller)
    let dates = try await ends(of: request.dates, for: caller)
    return TimeEntryScope(
      users: users, among: group.map(MemberSelection.group) ?? caller.seen, dates: dates,
      range: try range(of: dates, request.match, for: caller))
  }

  /// The rows of several members.
  ///
  /// - Throws: As `subject` does for one.
  private func users(_ ids: [UserID], for caller: Membership) async throws -> [UserKey] {
    let members = try await storage.memberships(of: Set(ids), in: caller.key.organization)
    return try ids.map { try subject($0, among: members, for: caller).key.user }
  }

  private func range(
    of dates: (first: LocalDate?, last: LocalDate?), _ match: TimeEntryMatch, for caller: Membership
  ) throws -> TimeEntryRange {
    switch match {
    case .start:
      return .dates(from: dates.first, through: dates.last)
    case .overlap:
      let zone = try zone(stored: caller.organizationTimeZone)
      return .overlapping(
        from: dates.first.map(zone.startOfDay), to: dates.last.map { zone.startOfDay($0.adding(days: 1)) })
    }
  }

  /// The first and the last date of those that a caller asks for, nil for an open end: today is the caller's, and weeks
  /// begin as the organization's pay rules say.
  ///
  /// - Throws: `.invalidDateRange`; `MissingTimeZone`.
  func ends(
    of dates: RequestedDates, for caller: Membership
  ) async throws -> (first: LocalDate?, last: LocalDate?) {
    try await ends(of: dates, around: dates.range == nil ? nil : today(for: caller), for: caller)
  }

  /// The same around a date of today, which is needed for a range.
  ///
  /// - Throws: `.invalidDateRange`.
  func ends(
    of dates: RequestedDates, around today: LocalDate?, for caller: Membership
  ) async throws -> (first: LocalDate?, last: LocalDate?) {
    if let range = dates.range, let today {
      let ends = range.dates(around: today, by: try await payRules(for: caller))
      return (ends.first, ends.last)
    }
    if let first = dates.first, let last = dates.last, first > last { throw TimeclockError.invalidDateRange }
    return (dates.first, dates.last)
  }
}

/// The entries that a request is about, and the right by which they are read.
struct TimeEntryScope: Sendable {
  /// The owners of the entries; nil for all of `among`.
  var users: [UserKey]?
  /// Those among whom the owners are if the request states none.
  var among: MemberSelection
  /// The first and the last date; nil for an open end.
  var dates: (first: LocalDate?, last: LocalDate?)
  var range: TimeEntryRange
  /// Nil if the caller reads by their role.
  var representation: Representation?
}
