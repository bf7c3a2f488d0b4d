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
  /// Writes the rows as a table. Their durations add up to the report's total, so the table needs no line for the total.
  func csv(durations: DurationForm, zones: TimeZoneDatabase) -> [UInt8] {
    var writer = CSVWriter(capacity: 256 + rows.count * 240)
    let zone = zones.zone(frame.timeZone)
    let hasPeople = groupBy.contains(.user)
    writer.header(
      groupBy.flatMap(\.columns) + ReportFigures.columns(durations)
        + (hasPeople ? ReportedPerson.payrollColumns : []))
    // Nobody's hours depend on another's: rounding carries over within a person.
    var carried: [UserID?: CarriedFigures] = [:]
    for row in rows {
      for value in row.dimensions { value.write(to: &writer) }
      let person = row.person
      let units = carried[person?.id, default: CarriedFigures(durations)].next(row.figures)
      row.figures.write(units, as: durations, in: zone, to: &writer)
      if hasPeople { writer.payroll(person) }
      writer.endLine()
    }
    return writer.bytes
  }
}

extension Timesheet {
  /// Writes the rows as a table, with a column for each date.
  func csv(durations: DurationForm) -> [UInt8] {
    var writer = CSVWriter(capacity: 256 + rows.count * (128 + days.count * 8))
    writer.header(
      ["userId", "userName"] + days.map(\.iso8601) + [durations.columnName("total")]
        + CarriedFigures.partColumns(durations) + ReportedPerson.payrollColumns)
    for row in rows {
      ReportValue.user(row.person).write(to: &writer)
      var carried = CarriedFigures(durations)
      let units = carried.next(row.sums.figures)
      for day in CarriedDurations.shares(of: units.total, over: row.sums.days) {
        writer.duration(day, as: durations)
      }
      writer.duration(units.total, as: durations)
      for part in units.parts { writer.duration(part, as: durations) }
      writer.payroll(row.person)
      writer.endLine()
    }
    return writer.bytes
  }
}

/// The durations of the rows of one person, of which each column and each row adds up.
private struct CarriedFigures {
  /// The durations of one row, in units of the form.
  struct Row {
    /// Regular, daily overtime, weekly overtime.
    var parts: [Int64]

    var total: Int64 { parts.reduce(0, +) }
  }

  /// One for each part.
  private var columns: [CarriedDurations]

  init(_ form: DurationForm) {
    columns = Array(repeating: CarriedDurations(form), count: 3)
  }

  static func partColumns(_ form: DurationForm) -> [String] {
    ["regular", "dailyOvertime", "weeklyOvertime"].map(form.columnName)
  }

  mutating func next(_ figures: ReportFigures) -> Row {
    let parts = [figures.regularSeconds, figures.dailyOvertimeSeconds, figures.weeklyOvertimeSeconds]
    return Row(parts: parts.indices.map { columns[$0].next(parts[$0]) })
  }
}

extension ReportRow {
  /// The person of the row; nil where rows are not told apart by people.
  fileprivate var person: ReportedPerson? {
    for case .user(let person) in dimensions { return person }
    return nil
  }
}

extension ReportedPerson {
  /// The columns by which a payroll program knows people.
  fileprivate static let payrollColumns = ["userEmail", "personnelNumber"]
}

extension CSVWriter {
  fileprivate mutating func payroll(_ person: ReportedPerson?) {
    text(person?.email)
    text(person?.personnelNumber)
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
  fileprivate static func columns(_ form: DurationForm) -> [String] {
    [form.noun] + CarriedFigures.partColumns(form)
      + ["entries", "daysWorked", "firstIn", "lastOut", "firstInWallTime", "lastOutWallTime"]
  }

  /// - Parameter zone: The report's; nil where the system no longer has it, which leaves wall times out.
  fileprivate func write(
    _ units: CarriedFigures.Row, as form: DurationForm, in zone: Zone?, to writer: inout CSVWriter
  ) {
    writer.duration(units.total, as: form)
    for part in units.parts { writer.duration(part, as: form) }
    writer.number(entries)
    writer.number(daysWorked)
    for instant in [firstIn, lastOut] {
      if let instant { writer.instant(instant) } else { writer.empty() }
    }
    for instant in [firstIn, lastOut] {
      if let instant, let zone {
        writer.wallTime(instant, offsetSeconds: zone.offsetSeconds(at: instant))
      } else {
        writer.empty()
      }
    }
  }
}
