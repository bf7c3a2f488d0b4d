/// A client's request for a list of entries.
package struct TimeEntryListRequest: Sendable {
  /// The owner of the entries; nil means the caller for a member, and everyone for a manager.
  package var userID: UserID?
  package var startDate: LocalDate?
  package var endDate: LocalDate?
  package var match: TimeEntryMatch
  package var status: TimeEntryStatus?
  package var sessionID: SessionID?
  package var cursor: TimeEntryCursor?
  package var limit: Int

  package init(
    userID: UserID? = nil, startDate: LocalDate? = nil, endDate: LocalDate? = nil,
    match: TimeEntryMatch = .start, status: TimeEntryStatus? = nil, sessionID: SessionID? = nil,
    cursor: TimeEntryCursor? = nil, limit: Int = 100
  ) {
    self.userID = userID
    self.startDate = startDate
    self.endDate = endDate
    self.match = match
    self.status = status
    self.sessionID = sessionID
    self.cursor = cursor
    self.limit = limit
  }
}

/// The condition on which an entry belongs to a range of days.
package enum TimeEntryMatch: String, CaseIterable, Sendable {
  /// Its `date` lies in the range.
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
    if let start = request.startDate, let end = request.endDate, start > end {
      throw TimeclockError.invalidDateRange
    }
    return (subject?.key.user, try range(of: request, for: caller))
  }

  private func range(of request: TimeEntryListRequest, for caller: Membership) throws -> TimeEntryRange {
    switch request.match {
    case .start:
      return .dates(from: request.startDate, through: request.endDate)
    case .overlap:
      let zone = try zone(stored: caller.organizationTimeZone)
      return .overlapping(
        from: request.startDate.map(zone.startOfDay),
        to: request.endDate.map { zone.startOfDay($0.adding(days: 1)) })
    }
  }
}
