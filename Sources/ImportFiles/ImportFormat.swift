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

  /// The columns that every file of this format has; of several together, one.
  var requiredColumns: [[ImportColumn]] {
    switch self {
    case .toggl, .clockify:
      [[.startDate], [.startTime], [.endDate, .duration, .durationDecimal], [.endTime, .duration, .durationDecimal]]
    case .harvest: [[.date], [.duration], [.firstName], [.lastName]]
    case .timetagger, .generic: [[.start], [.end, .duration]]
    }
  }

  /// The text by which a field says that there is nothing in it.
  var emptyMark: String? {
    switch self {
    case .toggl, .clockify: "-"
    case .harvest, .timetagger, .generic: nil
    }
  }

  /// Whether the file is of one person, whom the importer has to name.
  package var isOfOnePerson: Bool { self == .timetagger }

  /// Reads a row.
  ///
  /// - Throws: `ImportRefusal`.
  func row(_ fields: ImportFields, _ dateOrder: DateOrder) throws -> ImportRow {
    let kind = try fields.kind
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
    case .timetagger: try TimeTaggerRecords.row(fields, dateOrder)
    case .generic: try GenericFile.row(fields, dateOrder)
    }
  }

  /// Returns the dates of a row whose order may have to be determined.
  func dates(_ fields: ImportFields) -> [StatedDate] {
    let dates = [ImportColumn.date, .startDate, .endDate].compactMap { StatedDate(fields[$0]) }
    return dates + [ImportColumn.start, .end].compactMap { StatedInstant.date(fields[$0]) }
  }
}
