import HTTPMessages
import ImportFiles
import TimeclockDomain

extension Operation {
  /// Imports the entries of a file that another service has exported.
  static let importTimeEntries = Operation(
    "importTimeEntries", .post, "/v1/organizations/{organizationID}/timeEntries/import", .role(.admin)
  ) { request in
    let (options, settings) = try request.query { query in
      let format: ImportFormat = query.require("format", query.choice("format"), else: .generic)
      let userID: UserID? = query.identifier("userId")
      if format.isOfOnePerson { _ = query.require("userId", userID.map { _ in true }, else: true) }
      return (
        ImportFileOptions(
          format: format, dateOrder: query.choice("dateOrder"), dayStart: query.dayStart("dayStart")),
        ImportSettings(
          timeZone: query.text("timeZone"), userID: userID, isDryRun: query.bool("dryRun") ?? false,
          keepsOutOfPolicy: query.bool("keepOutOfPolicy") ?? false)
      )
    }
    let membership = try request.requireMembership()
    let place = try request.context.importPlaces.take(for: membership.key)
    defer { withExtendedLifetime(place) {} }
    let text = try request.delimitedText()
    let lines: [ImportLine]
    do {
      // Not on the event loop, which serves others meanwhile: a file is thousands of rows.
      lines = try await Task.detached {
        try ImportFileReader.lines(of: text, options)
      }
      .value
    } catch let error as ImportFileError {
      throw RequestError.unreadableFile(error)
    }
    try request.rowCharge?.take(rows: lines.count)
    return try await request.once { report in
      .json(report.payload)
    } perform: { recording in
      var running = try await request.timeclock.beginImport(settings, by: membership)
      return try await running.take(lines, recording: recording)
    }
  }
}

extension QueryReader {
  /// Takes a time of day.
  fileprivate func dayStart(_ name: String) -> DayStart? {
    value(name, "a time of day such as 09:00") { DayStart($0) }
  }
}
