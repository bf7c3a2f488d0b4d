/// A client's request for a list of entries.
package struct TimeEntryListRequest: Sendable {
  /// The owner of the entries; nil means the caller for a member, and everyone for a manager.
  package var userID: UserID?
  package var dates: RequestedDates
  package var match: TimeEntryMatch
  package var status: TimeEntryStatus?
  package var sessionID: SessionID?
  package var cursor: TimeEntryCursor?
  package var limit: Int

  package init(
    userID: UserID? = nil, dates: RequestedDates = RequestedDates(), match: TimeEntryMatch = .start,
    status: TimeEntryStatus? = nil, sessionID: SessionID? = nil, cursor: TimeEntryCursor? = nil,
    limit: Int = 100
  ) {
    self.userID = userID
    self.dates = dates
    self.match = match
    self.status = status
    self.sessionID = sessionID
    self.cursor = cursor
    self.limit = limit
  }
}

/// The condition on which an entry or a segment belongs to a range of days.
package enum TimeEntryMatch: String, CaseIterable, Sendable {
  /// Its `date` lies in the range, or the start of a segment.
  case start
  /// It shares a moment with the range, so that a shift begun the night before is not lost.
  case overlap
}

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
    let (user, range) = try await scope(of: request, for: caller)
    return try await storage.timeEntries(
      TimeEntryQuery(
        organization: caller.key.organization, user: user, range: range, status: request.status,
        session: request.sessionID, cursor: request.cursor, limit: request.limit))
  }

  /// The owner of the entries that a request is about, nil for everyone, and their days or span.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.invalidDateRange`; `MissingTimeZone`.
  func scope(
    of request: TimeEntryListRequest, for caller: Membership
  ) async throws -> (user: UserKey?, range: TimeEntryRange) {
    let subject: Membership? =
      if request.userID == nil, caller.role >= .manager {
        nil
      } else {
        try await subject(request.userID, for: caller)
      }
    return (subject?.key.user, try range(of: request, for: caller))
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
    if let range = dates.range {
      let today = try today(for: caller)
      let ends = range.dates(around: today, weekStart: caller.policy.weekStart)
      return (ends.first, ends.last)
    }
    if let first = dates.first, let last = dates.last, first > last { throw TimeclockError.invalidDateRange }
    return (dates.first, dates.last)
  }

}
