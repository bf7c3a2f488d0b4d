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
    switch self {
    case .toggl, .clockify: try DetailedReport.row(fields, dateOrder)
    case .harvest: try HarvestReport.row(fields, dateOrder)
    case .timetagger: try TimeTaggerRecords.row(fields)
    case .generic: try GenericFile.row(fields)
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
