import TimeclockDomain

/// The dimension by which a timesheet divides a member's time.
enum ReportPurpose: String, CaseIterable, Sendable {
  case project, task, client, kind

  var dimension: ReportDimension {
    switch self {
    case .project: .project
    case .task: .task
    case .client: .client
    case .kind: .kind
    }
  }
}

extension QueryReader {
  /// Takes the dates of a report, which must be stated: `startDate` and `endDate`, or `range` instead of both.
  func reportDates() -> (start: LocalDate, end: LocalDate, range: CalendarRange?) {
    let dates = dates()
    let isRange = sentParameters["range"] != nil
    return (
      isRange ? .earliest : require("startDate", dates.first, else: .earliest),
      isRange ? .earliest : require("endDate", dates.last, else: .earliest), dates.range
    )
  }

  /// Reads the parameters that choose the time of a report.
  func reportFilter(sessionID: SessionID? = nil) -> ReportFilter {
    ReportFilter(
      sessionID: sessionID, projectID: identifier("projectId"), taskID: identifier("taskId"),
      client: client(), tag: segmentTag(), isBillable: bool("billable"), kind: choice("kind"))
  }

  /// Reads the name of a client, as it is kept: on one line, without white space around it.
  private func client() -> String? {
    value("client", "1 to \(Name.maximumCharacters) characters on one line") { text in
      (try? Project.client(text)) ?? nil
    }
  }

  /// Reads the codes of the anomalies to list.
  func anomalyCodes() -> [ReportAnomaly.Code]? {
    choices("anomalies", atMost: ReportAnomaly.Code.allCases.count)
  }

  /// Reads a year of entitlements.
  func year(_ name: String) -> Int? {
    let years = Entitlement.years
    return value(name, "a year from \(years.lowerBound) to \(years.upperBound)") { text in
      guard text.utf8.count == 4, let year = Int64(text), years.contains(year) else { return nil }
      return Int(year)
    }
  }

  /// Reads the parameter that rounds.
  func rounding() -> ReportRounding? {
    value("rounding", "`part:<seconds>:nearest`, `:up` or `:down`", ReportRounding.init)
  }
}
