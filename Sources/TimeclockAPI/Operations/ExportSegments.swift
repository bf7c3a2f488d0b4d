import HTTPMessages
import Procedures
import Threads
import TimeclockDomain

extension Operation {
  /// Exports all segments of a list as a file.
  static let exportSegments = Operation("exportSegments") { request in
    let (wanted, stated, layout, dialect) = try request.query { query in
      let format = query.choice("format") as ExportFormat?
      let layout = query.choice("layout") as SegmentLayout? ?? .full
      if format == .ndjson { query.refuse("format", beside: "layout") }
      return (query.segmentList(), format, layout, query.tableDialect())
    }
    try request.requireNoBody()
    let accepted = try stated ?? ExportFormat(accepted: request.http.fields.values(of: "Accept"))
    let format = layout == .simple ? .csv : accepted
    let caller = try request.requireMembership()
    let export = try await request.timeclock.segmentExport(of: wanted, for: caller)
    let place = try request.context.exportPlaces.take(for: caller.key)
    return try await LongWorkExecutor.run {
      switch (format, layout) {
      case (.ndjson, _): return try await export.lines(holding: place)
      case (.csv, .full): return try await export.table(in: dialect, holding: place)
      case (.csv, .simple):
        let entries = TimeEntryListRequest(
          userIDs: wanted.members.userID.map { [$0] } ?? [], groupID: wanted.members.groupID,
          dates: wanted.dates, match: wanted.match, limit: 1_000)
        return try await export.simpleTable(
          in: dialect, with: entries, for: caller, in: request.timeclock, holding: place)
      }
    }
  }
}

/// The columns of a table of segments.
private enum SegmentLayout: String, CaseIterable, Sendable {
  case full
  /// The six columns of timers on phones, with the time entries.
  case simple
}

extension SegmentExport {
  /// Answers with a table, which is sent while it is read.
  fileprivate func table(
    in dialect: TableDialect, holding place: OperationPlaces.Place
  ) async throws -> HTTPResponse {
    try await response("segments.csv", type: "text/csv; charset=utf-8", holding: place) {
      [csv = SegmentCSV(dialect, at: now)] page in
      var csv = csv
      if page.number > 0 { _ = csv.takeBytes() }
      for segment in page.segments { csv.append(segment) }
      return csv.takeBytes()
    }
  }

  /// Answers with lines of JSON, each one the contract's Segment (github.com/ndjson/ndjson-spec).
  fileprivate func lines(holding place: OperationPlaces.Place) async throws -> HTTPResponse {
    try await response("segments.ndjson", type: "application/x-ndjson", holding: place) { [now] page in
      var writer = JSONWriter(capacity: 320 * 1024)
      for exported in page.segments {
        exported.segment.write(to: &writer, at: now)
        writer.endLine()
      }
      return writer.bytes
    }
  }

  /// Answers with the six columns of timers on phones: the entries of the same days, and behind them the segments.
  fileprivate func simpleTable(
    in dialect: TableDialect, with entries: TimeEntryListRequest, for caller: Membership,
    in timeclock: Timeclock,
    holding place: OperationPlaces.Place
  ) async throws -> HTTPResponse {
    var first = SimpleCSV(dialect, at: now)
    let page = try await timeclock.timeEntries(entries, for: caller)
    try first.append(page.elements, zones: timeclock.zones)
    let export = self
    return try Self.response("segments.csv", type: "text/csv; charset=utf-8") { [first, page] body in
      defer { withExtendedLifetime(place) {} }
      var (csv, page, export, entries) = (first, page, export, entries)
      try await body.write(csv.takeBytes())
      while let cursor = page.next {
        entries.cursor = cursor
        page = try await timeclock.timeEntries(entries, for: caller)
        try csv.append(page.elements, zones: timeclock.zones)
        try await body.write(csv.takeBytes())
      }
      while let segments = try await export.nextPage() {
        for segment in segments { csv.append(segment) }
        try await body.write(csv.takeBytes())
      }
    }
  }

  /// A page of an export.
  private struct Page: Sendable {
    let number: Int
    let segments: [ExportedSegment]
  }

  /// Answers with a document that is sent while it is read. The first page is read before, so that a refusal gets its own
  /// status; if a later one fails, the connection is cut, and the client sees that the document is incomplete.
  private func response(
    _ fileName: String, type: String, holding place: OperationPlaces.Place,
    _ content: @escaping @Sendable (Page) -> [UInt8]
  ) async throws -> HTTPResponse {
    var export = self
    let first = try await export.nextPage() ?? []
    return try Self.response(fileName, type: type) { [first, export] body in
      defer { withExtendedLifetime(place) {} }
      var export = export
      try await body.write(content(Page(number: 0, segments: first)))
      var number = 1
      while let segments = try await export.nextPage() {
        try await body.write(content(Page(number: number, segments: segments)))
        number += 1
      }
    }
  }

  private static func response(
    _ fileName: String, type: String, _ write: @escaping @Sendable (any HTTPBodyWriter) async throws -> Void
  ) throws -> HTTPResponse {
    var response = HTTPResponse(
      status: .ok, fields: StandardFields.fields(contentType: type),
      body: .stream { body in try await LongWorkExecutor.run { try await write(body) } })
    response.fields.append("Content-Disposition", "attachment; filename=\"\(fileName)\"")
    return response
  }
}

extension SimpleCSV {
  /// Writes lines for entries, with the offsets of their zones at their ends.
  fileprivate mutating func append(_ entries: [TimeEntry], zones: TimeZoneDatabase) throws {
    for entry in entries {
      let offset = entry.clockOutTime.flatMap { zones.zone(entry.timeZone)?.offsetSeconds(at: $0) }
      append(entry, endOffsetSeconds: offset ?? entry.offsetSeconds)
    }
  }
}
