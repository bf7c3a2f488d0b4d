import TimeclockDomain

extension Timeclock {
  /// A page of entries, newest first.
  ///
  /// The days of `match: .overlap` are those of the organization's zone, from its calendar: 23, 24, 24.5 or
  /// 25 hours long.
  ///
  /// - Throws: `.notFound(.member)`, `.notFound(.session)`, `.forbidden`, `.invalidDateRange`;
  ///   `MissingTimeZone`.
  package func timeEntries(
    _ request: TimeEntryListRequest, for caller: Membership
  ) async throws -> Page<TimeEntry, TimeEntryCursor> {
    let (users, among, range) = try await scope(of: request, for: caller)
    return try await storage.timeEntries(
      TimeEntryQuery(
        organization: caller.key.organization, users: users, among: among, range: range,
        status: request.status,
        session: request.sessionID, filter: request.filter, cursor: request.cursor, limit: request.limit))
  }

  /// The owners of the entries that a request is about, those among whom they are if it states none, and their days or span.
  ///
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`, `.invalidDateRange`; `MissingTimeZone`.
  func scope(
    of request: TimeEntryListRequest, for caller: Membership
  ) async throws -> (users: [UserKey]?, among: MemberSelection, range: TimeEntryRange) {
    let users: [UserKey]? =
      if request.userIDs.isEmpty, caller.role >= .manager {
        nil
      } else if request.userIDs.count > 1 {
        try await users(request.userIDs, for: caller)
      } else {
        [try await subject(request.userIDs.first, for: caller).key.user]
      }
    let group = try await group(request.groupID, with: users ?? [], for: caller)
    return (users, group.map(MemberSelection.group) ?? caller.seen, try range(of: request, for: caller))
  }

  /// The rows of several members.
  ///
  /// - Throws: As `subject` does for one.
  private func users(_ ids: [UserID], for caller: Membership) async throws -> [UserKey] {
    let members = try await storage.memberships(of: Set(ids), in: caller.key.organization)
    return try ids.map { try subject($0, among: members, for: caller).key.user }
  }

  private func range(of request: TimeEntryListRequest, for caller: Membership) throws -> TimeEntryRange {
    let (first, last) = try ends(of: request.dates, for: caller)
    switch request.match {
    case .start:
      return .dates(from: first, through: last)
    case .overlap:
      let zone = try zone(stored: caller.organizationTimeZone)
      return .overlapping(
        from: first.map(zone.startOfDay), to: last.map { zone.startOfDay($0.adding(days: 1)) })
    }
  }

  /// The first and the last date of those that a caller asks for, nil for an open end: today is the caller's, and weeks
  /// begin as the organization's policy says.
  ///
  /// - Throws: `.invalidDateRange`; `MissingTimeZone`.
  func ends(
    of dates: RequestedDates, for caller: Membership
  ) throws -> (first: LocalDate?, last: LocalDate?) {
    try ends(of: dates, around: try today(for: caller), weekStart: caller.policy.weekStart)
  }

  /// The same around a date of today.
  ///
  /// - Throws: `.invalidDateRange`.
  func ends(
    of dates: RequestedDates, around today: @autoclosure () throws -> LocalDate, weekStart: Weekday
  ) throws -> (first: LocalDate?, last: LocalDate?) {
    if let range = dates.range {
      let ends = range.dates(around: try today(), weekStart: weekStart)
      return (ends.first, ends.last)
    }
    if let first = dates.first, let last = dates.last, first > last { throw TimeclockError.invalidDateRange }
    return (dates.first, dates.last)
  }

}
