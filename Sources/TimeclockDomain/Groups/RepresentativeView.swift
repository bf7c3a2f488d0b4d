/// Members' time as a representative sees it: dates, times and sums. Notes, sessions, sources, flags, anomalies, e-mail
/// addresses and the paid parts of absences are not shown, and no request may choose or divide time by them, or by what segments
/// say.
package enum RepresentativeView {
  /// Whether a list may be asked for.
  package static func permits(_ request: TimeEntryListRequest) -> Bool {
    request.sessionID == nil && request.filter.flags.isEmpty && request.filter.sources.isEmpty
  }

  /// Whether a report may be asked for.
  package static func permits(_ request: ReportRequest, by dimensions: [ReportDimension]) -> Bool {
    request.filter == ReportFilter() && dimensions.allSatisfy { $0 == .user || $0 == .day }
  }

  package static func shown(_ entry: TimeEntry) -> TimeEntry {
    var entry = entry
    (entry.notes, entry.sessionID, entry.flags, entry.isSourceShown) = (nil, nil, [], false)
    return entry
  }

  package static func shown(_ exported: ExportedTimeEntry) -> ExportedTimeEntry {
    var exported = exported
    exported.entry = shown(exported.entry)
    (exported.userEmail, exported.sessionTitle, exported.isObjected) = ("", nil, false)
    return exported
  }

  package static func shown(_ report: HoursReport) -> HoursReport {
    var report = report
    (report.anomalyCounts, report.anomalies, report.differences) = ([], [], [])
    for row in report.rows.indices { report.rows[row].dimensions = report.rows[row].dimensions.map(shown) }
    return report
  }

  package static func shown(_ report: BalanceReport) -> BalanceReport {
    var report = report
    report.areCreditsShown = false
    for row in report.rows.indices { report.rows[row].person = shown(report.rows[row].person) }
    return report
  }

  private static func shown(_ value: ReportValue) -> ReportValue {
    guard case .user(let person) = value else { return value }
    return .user(shown(person))
  }

  private static func shown(_ person: ReportedPerson) -> ReportedPerson {
    var person = person
    person.email = ""
    return person
  }
}
