import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Exports all time entries of a list as a file.
  static let exportTimeEntries = Operation("exportTimeEntries") { request in
    let (wanted, counting, stated, durations, dialect) = try request.query { query in
      return (
        query.timeEntryList(), query.choice("timeZone") as CountingZone?,
        query.choice("format") as ExportFormat?,
        query.choice("durations") as DurationForm? ?? .seconds, query.tableDialect()
      )
    }
    try request.requireNoBody()
    let format = try stated ?? ExportFormat(accepted: request.http.fields.values(of: "Accept"))
    let caller = try request.requireMembership()
    let export = try await request.timeclock.timeEntryExport(
      of: wanted, in: counting, by: .exportTimeEntries, for: caller)
    let place = try request.context.exportPlaces.take(for: caller.key)
    switch format {
    case .csv:
      let document = TimeEntryCSV(
        dialect, zones: request.timeclock.zones, durations: durations, at: export.now)
      return try await export.response(as: document, fileName: "time-entries.csv", holding: place)
    case .ndjson:
      let document = TimeEntryLines(at: export.now)
      return try await export.response(as: document, fileName: "time-entries.ndjson", holding: place)
    }
  }
}

/// A form in which entries and segments are exported.
enum ExportFormat: String, CaseIterable, Sendable {
  case csv
  case ndjson

  /// Chooses the form that the client prefers; a client that states none gets CSV.
  ///
  /// - Throws: `RequestError.notAcceptable`.
  init(accepted lines: [String]) throws {
    let types = ["text/csv", "application/x-ndjson"]
    switch AcceptField(lines).preferred(of: types) {
    case "text/csv": self = .csv
    case "application/x-ndjson": self = .ndjson
    default: throw RequestError.notAcceptable(types)
    }
  }
}
