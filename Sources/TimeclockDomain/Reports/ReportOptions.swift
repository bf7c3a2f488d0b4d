/// The date to which a report counts an entry's time.
package enum ReportAttribution: String, CaseIterable, Sendable {
  /// Each moment counts for the date that it lies in; moments outside of the range do not count.
  case split
  /// The whole entry counts for the date on which it began.
  case start
  /// The whole entry counts for the date on which it ended.
  case end
}

/// A dimension by which a report divides time.
package enum ReportDimension: String, CaseIterable, Sendable {
  case user, group, day, week, month, session, status, source, project, task, client, kind, approval

  /// Whether segments have it.
  package var isOfSegments: Bool { [.project, .task, .client, .kind].contains(self) }
}

/// A client's request for a report: the time to count, and the way to count it.
package struct ReportRequest: Sendable {
  /// Inclusive dates of the report's zone.
  package var startDate: LocalDate
  package var endDate: LocalDate
  /// Counts instead of both dates, around the date in the report's zone.
  package var range: CalendarRange?
  package var attribution: ReportAttribution
  /// The zone's name, or the word for each member's own dates; nil for the organization's.
  package var timeZone: String?
  /// The owners of the time; if none are stated, the caller for a member, and everyone for a manager.
  package var members: WantedMembers
  package var filter: ReportFilter
  /// The rounding to show beside the exact seconds; nil for none.
  package var rounding: ReportRounding?
  /// The codes of the anomalies to list; nil for all anomalies.
  package var anomalyCodes: [ReportAnomaly.Code]?
  /// The instant up to which active entries count; nil for the present.
  package var asOf: Instant?
  /// Whether it lists entries to whose change somebody objects and, if all of the members' time is shown, what was approved
  /// and differs now.
  package var showsAnomalies: Bool

  package init(
    startDate: LocalDate, endDate: LocalDate, range: CalendarRange? = nil,
    attribution: ReportAttribution = .split, timeZone: String? = nil,
    members: WantedMembers = WantedMembers(), filter: ReportFilter = ReportFilter(),
    rounding: ReportRounding? = nil,
    anomalyCodes: [ReportAnomaly.Code]? = nil, asOf: Instant? = nil,
    showsAnomalies: Bool = false
  ) {
    self.startDate = startDate
    self.endDate = endDate
    self.range = range
    self.attribution = attribution
    self.timeZone = timeZone
    self.members = members
    self.filter = filter
    self.rounding = rounding
    self.anomalyCodes = anomalyCodes
    self.asOf = asOf
    self.showsAnomalies = showsAnomalies
  }
}

/// The word that stands in place of a zone's name. No zone has it as its name.
package enum CountingZone: String, CaseIterable, Sendable {
  /// The dates that each member's time counts for, by the member's schedule.
  case payroll
}

extension ReportRequest {
  /// Whether each member's time counts for that member's own dates.
  package var isByMember: Bool { timeZone == CountingZone.payroll.rawValue }
}

/// Bounds of reports.
package enum ReportLimits {
  /// The most dates of one report: ten years.
  package static let days = 3_660

  /// Checks the first and the last date of a report.
  ///
  /// - Throws: `TimeclockError.invalidDateRange`, `.reportTooLong`.
  package static func validate(from first: LocalDate, through last: LocalDate) throws {
    guard first <= last else { throw TimeclockError.invalidDateRange }
    guard last.daysSince1970 - first.daysSince1970 < days else { throw TimeclockError.reportTooLong }
  }
}
