import TimeclockDomain

/// The services whose files can be read, and a format for everything else.
package enum ImportFormat: String, CaseIterable, Sendable {
  /// Toggl Track's detailed report.
  case toggl
  /// Clockify's detailed report.
  case clockify
  /// Harvest's detailed time report.
  case harvest
  /// TimeTagger's records or its report, which are of one person.
  case timetagger
  /// Kimai's export as CSV.
  case kimai
  /// solidtime's detailed report, or the time entries of its export.
  case solidtime
  /// The service's own columns, for data from elsewhere.
  case generic

  /// The columns that every file of this format has; of several together, one.
  var requiredColumns: [[ImportColumn]] {
    switch self {
    case .toggl, .clockify:
      [
        [.startDate], [.startTime], [.endDate, .duration, .durationDecimal],
        [.endTime, .duration, .durationDecimal],
      ]
    case .harvest: [[.date], [.duration], [.firstName], [.lastName]]
    case .kimai: [[.date], [.start], [.end, .duration]]
    case .timetagger, .solidtime, .generic: [[.start], [.end, .duration, .durationDecimal]]
    }
  }

  /// The text by which a field says that there is nothing in it.
  var emptyMark: String? {
    switch self {
    case .toggl, .clockify: "-"
    case .harvest, .timetagger, .kimai, .solidtime, .generic: nil
    }
  }

  /// Whether a running entry has its start as its end.
  var endsRunningAtStart: Bool { self == .timetagger }

  /// Whether a row with an empty end was running, and its length is that until then. A file made by hand may state
  /// lengths instead of ends.
  var countsRunning: Bool { self != .generic }

  /// Whether the file is about one person, to be named by the importer.
  package var isOfOnePerson: Bool { self == .timetagger }

  /// Whether a row is a heading between entries, as in TimeTagger's report: it has a title, and no date and times.
  func isHeading(_ fields: ImportFields) -> Bool {
    self == .timetagger && fields.header.place(of: .date) != nil
      && [.date, .start, .end].allSatisfy { fields[$0].isEmpty }
  }

  /// Reads a row of any kind as an entry.
  ///
  /// - Throws: `ImportRefusal`.
  func entry(_ fields: ImportFields, _ reader: inout ImportRowReader) throws -> ImportRow {
    switch self {
    case .toggl, .clockify: try DetailedReport.row(fields, &reader)
    case .harvest, .timetagger, .kimai, .solidtime, .generic: try SpanFile.row(fields, &reader)
    }
  }

  /// Returns the dates of a row whose order may have to be determined.
  func dates(_ fields: ImportFields) -> [StatedDate] {
    let dates = [ImportColumn.date, .startDate, .endDate].compactMap { StatedDate(fields[$0]) }
    return dates + [ImportColumn.start, .end].compactMap { StatedInstant.date(fields[$0]) }
  }
}
