import TimeclockDomain

extension HoursReport {
  /// The contract's HoursReport.
  var content: WrittenContent {
    var content = WrittenContent()
    var writer = JSONWriter(capacity: WrittenContent.capacity(for: 1_024 + rows.count * 320))
    writeBeginning(to: &writer)
    for row in rows {
      row.write(to: &writer, isRounded: isRounded)
      content.takePiece(of: &writer)
    }
    writeEnd(to: &writer)
    return content.ended(by: writer)
  }

  private var isRounded: Bool { rounding != nil }

  private func writeBeginning(to writer: inout JSONWriter) {
    writer.open("{")
    frame.write(to: &writer)
    rounding?.write(to: &writer)
    writer.name("groupBy")
    writer.array(groupBy) { $0.string($1.rawValue) }
    writer.name("rows")
    writer.open("[")
  }

  private func writeEnd(to writer: inout JSONWriter) {
    writer.close("]")
    writer.name("totals")
    writer.object { totals.write(to: &$0, isRounded: isRounded) }
    writer.anomalies(anomalies, differences, anomalyCounts)
    writer.close("}")
  }
}

extension Timesheet {
  /// The contract's Timesheet.
  var content: WrittenContent {
    var content = WrittenContent()
    var writer = JSONWriter(
      capacity: WrittenContent.capacity(for: 1_024 + rows.count * (256 + days.count * 6)))
    writer.object { writer in
      writer.member("period", period.rawValue)
      frame.write(to: &writer)
      rounding?.write(to: &writer)
      let isRounded = rounding != nil
      writer.array("days", days) { $0.date($1) }
      writer.array("rows", rows) { writer, row in
        writer.object { writer in
          writer.member("userId", row.person.id)
          writer.member("userName", row.person.name)
          row.purpose?.write(to: &writer)
          row.sums.write(to: &writer, isRounded: isRounded)
        }
        content.takePiece(of: &writer)
      }
      writer.name("totals")
      writer.object { totals.write(to: &$0, isRounded: isRounded) }
      writer.anomalies(anomalies, differences, anomalyCounts)
    }
    return content.ended(by: writer)
  }
}

extension Timesheet.Sums {
  fileprivate func write(to writer: inout JSONWriter, isRounded: Bool) {
    writer.array("seconds", days) { $0.integer($1) }
    writer.member("totalSeconds", figures.seconds)
    figures.writeParts(to: &writer, isRounded: isRounded)
  }
}

extension ReportFrame {
  /// Writes the members that describe a report.
  func write(to writer: inout JSONWriter) {
    writer.member("startDate", startDate)
    writer.member("endDate", endDate)
    writer.member("timeZone", zoneName)
    writer.member("attribution", attribution.rawValue)
    writer.member("asOf", asOf)
  }
}

extension ReportRounding {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("rounding", text)
  }
}

extension ReportRow {
  fileprivate func write(to writer: inout JSONWriter, isRounded: Bool) {
    writer.object { writer in
      for value in dimensions { value.write(to: &writer) }
      figures.write(to: &writer, isRounded: isRounded)
    }
  }
}

extension ReportValue {
  func write(to writer: inout JSONWriter) {
    switch self {
    case .user(let person):
      writer.member("userId", person.id)
      writer.member("userName", person.name)
    case .day(let date): writer.member("day", date)
    case .week(let week): writer.member("week", week.text)
    case .month(let year, let month): writer.member("month", Self.text(year: year, month: month))
    case .group(let group):
      writer.member("groupId", group?.id)
      writer.member("groupName", group?.name)
    case .session(let session):
      writer.member("sessionId", session?.id)
      writer.member("sessionTitle", session?.title)
    case .status(let status): writer.member("status", status.rawValue)
    case .source(let source): writer.member("source", source.rawValue)
    case .project(let project):
      writer.member("projectId", project?.id)
      writer.member("projectName", project?.name)
      writer.member("color", project?.color)
    case .client(let client): writer.member("client", client)
    case .task(let task):
      writer.member("taskId", task?.id)
      writer.member("taskName", task?.name)
    case .kind(let kind): writer.member("kind", kind.rawValue)
    case .approval(let state): writer.member("periodState", state.rawValue)
    }
  }

  /// Formats a month as `2026-03`.
  static func text(year: Int, month: Int) -> String {
    "\(year)-\(month < 10 ? "0" : "")\(month)"
  }
}

extension ISOWeek {
  /// Formats a week as ISO 8601 does: `2026-W03`.
  var text: String { "\(year)-W\(number < 10 ? "0" : "")\(number)" }
}

extension ReportFigures {
  fileprivate func write(to writer: inout JSONWriter, isRounded: Bool) {
    writer.member("seconds", seconds)
    writeParts(to: &writer, isRounded: isRounded)
    writer.member("entries", entries)
    writer.member("daysWorked", daysWorked)
    writer.member("firstIn", firstIn)
    writer.member("lastOut", lastOut)
  }

  fileprivate func writeParts(to writer: inout JSONWriter, isRounded: Bool) {
    writer.member("breakSeconds", breakSeconds)
    writer.member("unpaidBreakSeconds", unpaidBreakSeconds)
    writer.member("deductedBreakSeconds", deductedBreakSeconds)
    writer.member("paidSeconds", paidSeconds)
    if isRounded { writer.member("roundedSeconds", roundedSeconds) }
    writer.member("regularSeconds", regularSeconds)
    writer.member("dailyOvertimeSeconds", dailyOvertimeSeconds)
    writer.member("weeklyOvertimeSeconds", weeklyOvertimeSeconds)
  }
}

extension JSONWriter {
  fileprivate mutating func anomalies(
    _ listed: [ReportAnomaly], _ differences: [ApprovalDifference], _ counts: [ReportAnomalyCount]
  ) {
    array("anomalyCounts", counts) { writer, count in
      writer.object { writer in
        writer.member("code", count.code.rawValue)
        writer.member("entries", Int64(count.entries))
      }
    }
    name("anomalies")
    open("[")
    for anomaly in listed { write(anomaly) }
    for difference in differences { write(difference) }
    close("]")
  }

  private mutating func write(_ anomaly: ReportAnomaly) {
    object {
      $0.anomaly(
        of: anomaly.person, entry: anomaly.id, from: anomaly.clockIn, to: anomaly.clockOut, dates: nil,
        anomaly.seconds, ReportAnomaly.Code.allCases.filter(anomaly.has))
    }
  }

  private mutating func write(_ difference: ApprovalDifference) {
    object {
      $0.anomaly(
        of: difference.person, entry: nil, from: nil, to: nil, dates: difference.from...difference.through,
        difference.seconds, [.differsFromApproved])
    }
  }

  /// Writes the members of an entry, or of approved dates, that somebody should look at.
  private mutating func anomaly(
    of person: ReportedPerson, entry: TimeEntryID?, from clockIn: Instant?, to clockOut: Instant?,
    dates: ClosedRange<LocalDate>?, _ seconds: Int64, _ codes: [ReportAnomaly.Code]
  ) {
    member("timeEntryId", entry)
    member("userId", person.id)
    member("userName", person.name)
    member("clockInTime", clockIn)
    member("clockOutTime", clockOut)
    member("from", dates?.lowerBound) { $0.date($1) }
    member("through", dates?.upperBound) { $0.date($1) }
    member("seconds", seconds)
    name("codes")
    array(codes) { $0.string($1.rawValue) }
  }
}
