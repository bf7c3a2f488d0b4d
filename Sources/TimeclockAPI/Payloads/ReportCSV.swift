import HTTPMessages
import TimeclockDomain

/// The form in which a report is answered.
enum ReportFormat: String, CaseIterable, Sendable {
  case json
  case csv

  /// Chooses the form that a client prefers; a client that takes neither gets JSON, as everywhere.
  init(accepted lines: [String]) {
    self = AcceptField(lines).preferred(of: ["application/json", "text/csv"]) == "text/csv" ? .csv : .json
  }
}

extension HTTPResponse {
  /// Makes an answer with a table.
  static func csv(_ body: [UInt8], fileName: StaticString) -> HTTPResponse {
    var response = HTTPResponse(
      status: .ok, fields: StandardFields.fields(contentType: "text/csv; charset=utf-8"), body: .bytes(body))
    response.fields.append("Content-Disposition", "attachment; filename=\"\(fileName)\"")
    return response
  }
}

extension HoursReport {
  /// Writes the rows as a table. Their seconds add up to the report's total, so the table needs no line for the total.
  var csv: [UInt8] {
    var writer = CSVWriter(capacity: 256 + rows.count * 160)
    writer.header(groupBy.flatMap(\.columns) + ReportFigures.columns)
    for row in rows {
      for value in row.dimensions { value.write(to: &writer) }
      row.figures.write(to: &writer)
      writer.endLine()
    }
    return writer.bytes
  }
}

extension Timesheet {
  /// Writes the rows as a table, with a column for each date.
  var csv: [UInt8] {
    var writer = CSVWriter(capacity: 256 + rows.count * (64 + days.count * 8))
    writer.header(
      ["userId", "userName"] + days.map(\.iso8601) + ["totalSeconds"] + ReportFigures.overtimeColumns)
    for row in rows {
      ReportValue.user(row.person).write(to: &writer)
      for seconds in row.sums.days { writer.number(seconds) }
      writer.number(row.sums.figures.seconds)
      row.sums.figures.writeOvertime(to: &writer)
      writer.endLine()
    }
    return writer.bytes
  }
}

extension ReportDimension {
  fileprivate var columns: [String] {
    switch self {
    case .user: ["userId", "userName"]
    case .session: ["sessionId", "sessionTitle"]
    case .day, .week, .month, .status, .source: [rawValue]
    }
  }
}

extension ReportValue {
  fileprivate func write(to writer: inout CSVWriter) {
    switch self {
    case .user(let person):
      writer.identifier(person.id)
      writer.text(person.name)
    case .day(let date): writer.date(date)
    case .week(let week): writer.text(week.text)
    case .month(let year, let month): writer.text(Self.text(year: year, month: month))
    case .session(let session):
      if let id = session?.id { writer.identifier(id) } else { writer.empty() }
      writer.text(session?.title)
    case .status(let status): writer.text(status.rawValue)
    case .source(let source): writer.text(source.rawValue)
    }
  }
}

extension ReportFigures {
  fileprivate static let overtimeColumns = [
    "regularSeconds", "dailyOvertimeSeconds", "weeklyOvertimeSeconds",
  ]
  fileprivate static let columns =
    ["seconds"] + overtimeColumns + ["entries", "daysWorked", "firstIn", "lastOut"]

  fileprivate func write(to writer: inout CSVWriter) {
    writer.number(seconds)
    writeOvertime(to: &writer)
    writer.number(entries)
    writer.number(daysWorked)
    for instant in [firstIn, lastOut] {
      if let instant { writer.instant(instant) } else { writer.empty() }
    }
  }

  fileprivate func writeOvertime(to writer: inout CSVWriter) {
    for seconds in [regularSeconds, dailyOvertimeSeconds, weeklyOvertimeSeconds] { writer.number(seconds) }
  }
}
