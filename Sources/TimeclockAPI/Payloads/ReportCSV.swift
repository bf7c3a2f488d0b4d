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
  static func csv(_ content: WrittenContent, fileName: StaticString) -> HTTPResponse {
    var response = HTTPResponse(
      status: .ok, fields: StandardFields.fields(contentType: "text/csv; charset=utf-8"), body: content.body)
    response.fields.append("Content-Disposition", "attachment; filename=\"\(fileName)\"")
    return response
  }
}

extension HoursReport {
  /// Writes the rows as a table. Their durations add up to the report's total, so the table needs no line for the total.
  func csv(
    _ dialect: TableDialect, durations: DurationForm, zones: TimeZoneDatabase
  ) -> WrittenContent {
    var content = WrittenContent()
    var writer = CSVWriter(dialect, capacity: WrittenContent.capacity(for: 256 + rows.count * 240))
    let zone = zones.zone(frame.timeZone)
    let hasPeople = groupBy.contains(.user)
    writer.header(
      groupBy.flatMap(\.columns) + ReportFigures.columns(durations, isRounded: rounding != nil)
        + (hasPeople ? ReportedPerson.payrollColumns : []))
    // Nobody's hours depend on another's: rounding carries over within a person.
    var carried: [UserID?: CarriedFigures] = [:]
    for row in rows {
      for value in row.dimensions { value.write(to: &writer) }
      let person = row.person
      let units = carried[person?.id, default: CarriedFigures(durations)].next(row.figures)
      row.figures.write(units.cells(isRounded: rounding != nil), as: durations, in: zone, to: &writer)
      if hasPeople { writer.payroll(person) }
      writer.endLine()
      content.takePiece(of: &writer)
    }
    return content.ended(by: writer)
  }
}

extension Timesheet {
  /// Writes the rows as a table, with a column for each date.
  func csv(_ dialect: TableDialect, durations: DurationForm) -> WrittenContent {
    var content = WrittenContent()
    var writer = CSVWriter(
      dialect, capacity: WrittenContent.capacity(for: 256 + rows.count * (128 + days.count * 8)))
    writer.header(
      ["userId", "userName"] + (groupBy?.columns ?? []) + days.map(\.iso8601) + [
        durations.columnName("total")
      ]
        + CarriedFigures.partColumns(durations, isRounded: rounding != nil) + ReportedPerson.payrollColumns)
    // Nobody's hours depend on another's: rounding carries over within a person.
    var carried: [UserID: CarriedFigures] = [:]
    for row in rows {
      ReportValue.user(row.person).write(to: &writer)
      row.purpose?.write(to: &writer)
      let units = carried[row.person.id, default: CarriedFigures(durations)].next(row.sums.figures)
      for day in CarriedDurations.shares(of: units.total, over: row.sums.days) {
        writer.duration(day, as: durations)
      }
      for cell in units.cells(isRounded: rounding != nil) { writer.duration(cell, as: durations) }
      writer.payroll(row.person)
      writer.endLine()
      content.takePiece(of: &writer)
    }
    return content.ended(by: writer)
  }
}

/// The durations of the rows of one person, of which each column and each row adds up.
private struct CarriedFigures {
  /// The durations of one row, in units of the form.
  struct Row {
    /// Regular, daily overtime, weekly overtime: the paid seconds.
    var paidParts: [Int64]
    var unpaidBreak: Int64
    var paidBreak: Int64
    var deducted: Int64
    var rounded: Int64

    var paid: Int64 { paidParts.reduce(0, +) }
    var total: Int64 { paid + unpaidBreak + deducted }

    /// All, in the order of the columns, with the total before them.
    func cells(isRounded: Bool) -> [Int64] {
      [total, paidBreak + unpaidBreak, unpaidBreak, deducted, paid] + (isRounded ? [rounded] : []) + paidParts
    }
  }

  /// One for each duration that is not a sum of others.
  private var columns: [CarriedDurations]

  init(_ form: DurationForm) {
    columns = Array(repeating: CarriedDurations(form), count: 7)
  }

  /// The columns behind that of the total.
  static func partColumns(_ form: DurationForm, isRounded: Bool) -> [String] {
    (["break", "unpaidBreak", "deductedBreak", "paid"] + (isRounded ? ["rounded"] : [])
      + ["regular", "dailyOvertime", "weeklyOvertime"]).map(form.columnName)
  }

  mutating func next(_ figures: ReportFigures) -> Row {
    let parts = [
      figures.regularSeconds, figures.dailyOvertimeSeconds, figures.weeklyOvertimeSeconds,
      figures.unpaidBreakSeconds, figures.breakSeconds - figures.unpaidBreakSeconds,
      figures.deductedBreakSeconds, figures.roundedSeconds,
    ]
    let units = parts.indices.map { columns[$0].next(parts[$0]) }
    return Row(
      paidParts: Array(units[..<3]), unpaidBreak: units[3], paidBreak: units[4], deducted: units[5],
      rounded: units[6])
  }
}

extension ReportRow {
  /// The person of the row; nil if rows are not grouped by people.
  fileprivate var person: ReportedPerson? {
    for case .user(let person) in dimensions { return person }
    return nil
  }
}

extension ReportedPerson {
  /// The columns by which a payroll program knows people.
  static let payrollColumns = ["userEmail", "personnelNumber"]
}

extension CSVWriter {
  /// Writes two cells, empty ones for no resource.
  fileprivate mutating func resource<Subject>(_ id: Identifier<Subject>?, _ name: String?) {
    if let id { identifier(id) } else { empty() }
    text(name)
  }

  mutating func payroll(_ person: ReportedPerson?) {
    text(person?.email)
    text(person?.personnelNumber)
  }
}

extension ReportDimension {
  var columns: [String] {
    switch self {
    case .user: ["userId", "userName"]
    case .group: ["groupId", "groupName"]
    case .session: ["sessionId", "sessionTitle"]
    case .project: ["projectId", "projectName", "color"]
    case .task: ["taskId", "taskName"]
    case .approval: ["periodState"]
    case .day, .week, .month, .status, .source, .client, .kind: [rawValue]
    }
  }
}

extension ReportValue {
  func write(to writer: inout CSVWriter) {
    switch self {
    case .user(let person):
      writer.identifier(person.id)
      writer.text(person.name)
    case .group(let group): writer.resource(group?.id, group?.name)
    case .day(let date): writer.date(date)
    case .week(let week): writer.text(week.text)
    case .month(let year, let month): writer.text(Self.text(year: year, month: month))
    case .session(let session): writer.resource(session?.id, session?.title)
    case .project(let project):
      writer.resource(project?.id, project?.name)
      writer.text(project?.color)
    case .client(let client): writer.text(client)
    case .task(let task): writer.resource(task?.id, task?.name)
    case .kind(let kind): writer.text(kind.rawValue)
    case .approval(let state): writer.text(state.rawValue)
    case .status(let status): writer.text(status.rawValue)
    case .source(let source): writer.text(source.rawValue)
    }
  }
}

extension ReportFigures {
  fileprivate static func columns(_ form: DurationForm, isRounded: Bool) -> [String] {
    [form.noun] + CarriedFigures.partColumns(form, isRounded: isRounded)
      + ["entries", "daysWorked", "firstIn", "lastOut", "firstInWallTime", "lastOutWallTime"]
  }

  /// - Parameters:
  ///   - durations: The cells with durations, in units of the form.
  ///   - zone: The report's; nil if the system no longer has it, which leaves wall times out.
  fileprivate func write(
    _ durations: [Int64], as form: DurationForm, in zone: Zone?, to writer: inout CSVWriter
  ) {
    for duration in durations { writer.duration(duration, as: form) }
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
