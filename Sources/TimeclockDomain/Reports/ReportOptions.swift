/// To which date a report counts an entry's time.
package enum ReportAttribution: String, CaseIterable, Sendable {
  /// Each moment counts for the date that it lies in; what lies outside of the range does not count.
  case split
  /// The whole entry counts for the date on which it began.
  case start
  /// The whole entry counts for the date on which it ended.
  case end
}

/// By what a report tells time apart.
package enum ReportDimension: String, CaseIterable, Sendable {
  case user, day, week, month, session, status, source
}

/// What a report counts, and how.
package struct ReportRequest: Sendable {
  /// Inclusive dates of the report's zone.
  package var startDate: LocalDate
  package var endDate: LocalDate
  package var attribution: ReportAttribution
  /// The zone's name; nil for the organization's.
  package var timeZone: String?
  /// Whose time; nil means a member's own, and everyone's for a manager.
  package var userID: UserID?
  package var sessionID: SessionID?
  /// To when active entries count; nil for the present.
  package var asOf: Instant?

  package init(
    startDate: LocalDate, endDate: LocalDate, attribution: ReportAttribution = .split,
    timeZone: String? = nil,
    userID: UserID? = nil, sessionID: SessionID? = nil, asOf: Instant? = nil
  ) {
    self.startDate = startDate
    self.endDate = endDate
    self.attribution = attribution
    self.timeZone = timeZone
    self.userID = userID
    self.sessionID = sessionID
    self.asOf = asOf
  }
}

/// Bounds of what a report may ask for.
package enum ReportLimits {
  /// The most dates of one report: ten years.
  package static let days = 3_660
}
