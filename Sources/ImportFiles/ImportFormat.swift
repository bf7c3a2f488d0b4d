import TimeclockDomain

/// The services whose files can be read, and a format for everything else.
package enum ImportFormat: String, CaseIterable, Sendable {
  /// Toggl Track's detailed report.
  case toggl
  /// Clockify's detailed report.
  case clockify
  /// Harvest's detailed time report.
  case harvest
  /// TimeTagger's records, which are of one person.
  case timetagger
  /// The service's own columns, for data from elsewhere.
  case generic

  /// The columns that every file of this format has.
  var requiredColumns: [ImportColumn] {
    switch self {
    case .toggl, .clockify: [.email, .startDate, .startTime, .endDate, .endTime]
    case .harvest: [.date, .hours, .firstName, .lastName]
    case .timetagger: [.start, .stop]
    case .generic: [.clockInTime, .clockOutTime]
    }
  }

  /// Whether the file is of one person, whom the importer has to name.
  package var isOfOnePerson: Bool { self == .timetagger }

  /// Reads a row.
  ///
  /// - Throws: `ImportRefusal`.
  func row(_ fields: ImportFields, _ dateOrder: DateOrder) throws -> ImportRow {
    let kind = try kind(fields)
    do {
      var row = try entry(fields, dateOrder)
      row.kind = kind
      return row
    } catch let refusal as ImportRefusal {
      // Time off often has no times, and lacks nothing without them.
      throw kind == .work ? refusal : .notWork(kind)
    }
  }

  /// Reads a row of any kind as an entry.
  private func entry(_ fields: ImportFields, _ dateOrder: DateOrder) throws -> ImportRow {
    switch self {
    case .toggl, .clockify: try DetailedReport.row(fields, dateOrder)
    case .harvest: try HarvestReport.row(fields, dateOrder)
    case .timetagger: try TimeTaggerRecords.row(fields)
    case .generic: try GenericFile.row(fields)
    }
  }

  /// Reads whether the row is work. Toggl Track, Harvest and TimeTagger mark nothing else.
  private func kind(_ fields: ImportFields) throws -> ImportRowKind {
    switch self {
    case .clockify: try fields.kind(.type)
    case .generic: try fields.kind(.kind)
    case .toggl, .harvest, .timetagger: .work
    }
  }

  /// Returns the dates of a row whose order may have to be determined.
  func dates(_ fields: ImportFields) -> [StatedDate] {
    let columns: [ImportColumn] =
      switch self {
      case .toggl, .clockify: [.startDate, .endDate]
      case .harvest: [.date]
      case .timetagger, .generic: []
      }
    return columns.compactMap { StatedDate(fields[$0]) }
  }
}
