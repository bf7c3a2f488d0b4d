import HTTPMessages
import ImportFiles
import Procedures
import TimeclockDomain

extension Operation {
  /// Imports the entries of a file that another service has exported.
  static let importTimeEntries = Operation("importTimeEntries") { request in
    let (options, settings) = try request.query { query in
      let format: ImportFormat = query.require("format", query.choice("format"), else: .generic)
      let userID: UserID? = query.identifier("userId")
      if format.isOfOnePerson { _ = query.require("userId", userID.map { _ in true }, else: true) }
      return (
        ImportFileOptions(
          format: format, dateOrder: query.choice("dateOrder"), dayStart: query.dayStart("dayStart"),
          projects: query.choice("projects") ?? .notes),
        ImportSettings(
          timeZone: query.text("timeZone"), userID: userID, isDryRun: query.bool("dryRun") ?? false,
          keepsOutOfPolicy: query.bool("keepOutOfPolicy") ?? false,
          takesLength: query.bool("lengthFromDuration") ?? false)
      )
    }
    let membership = try request.requireMembership()
    let place = try request.context.importPlaces.take(for: membership.key)
    defer { withExtendedLifetime(place) {} }
    try request.requireDelimitedText()
    let file = try await FileToImport(request.http.content, options)
    try request.rowCharge?.take(rows: file.rowCount)
    var named = settings
    named.ignoredColumns = file.ignoredColumns
    return try await request.once { report in
      .json(report.payload)
    } perform: { [settings = named] recording in
      try await file.take(by: request.timeclock.beginImport(settings, by: membership), recording: recording)
    }
  }
}

/// The file of a request, which is read part by part, twice: neither its text nor its rows are in memory as a whole.
private struct FileToImport: Sendable {
  private let content: HTTPContent
  private let options: ImportFileOptions
  private let shape: ImportFileShape
  let rowCount: Int
  /// The names of the columns of which nothing is read.
  var ignoredColumns: [String] { shape.ignoredColumns }

  /// The most rows of a file, so that the report of them has a limit, too.
  private static let rowLimit = 200_000

  /// - Throws: `RequestError.unreadableFile`, `.tooManyRows`; the system's error if the content cannot be read.
  init(_ content: HTTPContent, _ options: ImportFileOptions) async throws {
    self.content = content
    self.options = options
    do {
      // Not on the event loop, which serves others meanwhile: a file is thousands of rows.
      (shape, rowCount) = try await Task.detached {
        var survey = ImportFileSurvey(options)
        try content.forEachPart { try survey.read($0) }
        let shape = try survey.finish()
        return (shape, survey.rowCount)
      }
      .value
    } catch let error as ImportFileError {
      throw RequestError.unreadableFile(error)
    }
    guard rowCount <= Self.rowLimit else { throw RequestError.tooManyRows(limit: Self.rowLimit) }
  }

  /// Takes the rows; the answer is recorded with the last of them.
  func take(
    by running: TimeEntryImport, recording: AnswerRecording<ImportReport>?
  ) async throws -> ImportReport {
    var running = running
    var reader = ImportFileReader(options, shape)
    var waiting: [ImportLine] = []
    var report: ImportReport?
    var offset = 0
    while offset < content.byteCount {
      (waiting, reader, offset) = try await Task.detached { [content, waiting, reader, offset] in
        var reader = reader
        let part = try content.part(from: offset)
        return (try waiting + reader.read(part), reader, offset + part.count)
      }
      .value
      let count = waiting.count - waiting.count % TimeEntryImport.batchSize
      // The last rows wait for the end of the file, so that there are some to record the answer with.
      guard count > 0, waiting.count > count else { continue }
      report = sum(report, try await running.take(Array(waiting.prefix(count))))
      waiting.removeFirst(count)
    }
    waiting += try reader.finish()
    return sum(
      report,
      try await running.take(waiting, recording: recording?.mapping { [report] in sum(report, $0) }))
  }

  private func sum(_ report: ImportReport?, _ next: ImportReport) -> ImportReport {
    report?.appending(next) ?? next
  }
}

extension TimeclockAPI {
  /// The requests that may have more content than others: files.
  package static let longBodies = [
    LongBodyTarget(Operation.importTimeEntries.method, Operation.importTimeEntries.path)
  ]
}

extension QueryReader {
  /// Takes a time of day.
  fileprivate func dayStart(_ name: String) -> DayStart? {
    value(name, "a time of day such as 09:00") { DayStart($0) }
  }
}
