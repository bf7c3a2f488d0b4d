import Procedures
import TimeclockDomain

/// Segments as a table for spreadsheets.
struct SegmentCSV: Sendable {
  private(set) var writer: CSVWriter
  private let now: Instant

  /// - Parameter now: The end of an open segment's duration.
  init(_ dialect: TableDialect = .rfc4180, at now: Instant) {
    writer = CSVWriter(dialect, capacity: 320 * 1024)
    self.now = now
    writer.header([
      "id", "userId", "userName", "date", "startTime", "endTime", "startLocal", "endLocal", "durationSeconds",
      "kind", "projectId", "projectName", "client", "taskId", "taskName", "name", "tags", "isPaid",
      "billable",
      "timeEntryId",
    ])
  }

  mutating func takeBytes() -> [UInt8] { writer.takeBytes() }

  mutating func append(_ exported: ExportedSegment) {
    let segment = exported.segment
    writer.identifier(segment.id)
    writer.identifier(segment.userID)
    writer.text(exported.userName)
    writer.date(exported.date)
    writer.instant(segment.startTime)
    if let end = segment.endTime { writer.instant(end) } else { writer.empty() }
    writer.local(segment.startTime, offsetSeconds: exported.startOffsetSeconds)
    if let end = segment.endTime {
      writer.local(end, offsetSeconds: exported.endOffsetSeconds)
    } else {
      writer.empty()
    }
    writer.number(segment.durationSeconds(at: now))
    writer.text(segment.kind.rawValue)
    writer.identifier(segment.purpose.projectID)
    writer.text(exported.projectName)
    writer.text(exported.client)
    writer.identifier(segment.purpose.taskID)
    writer.text(exported.taskName)
    writer.text(segment.name)
    writer.text(segment.tags.isEmpty ? nil : segment.tags.joined(separator: ", "))
    writer.text(segment.isPaid ? "true" : "false")
    writer.text(segment.isBillable ? "true" : "false")
    writer.identifier(segment.timeEntryID)
    writer.endLine()
  }
}

/// Entries and segments in the six columns that timers on phones export: the entries first, then their segments, each the
/// newest first.
struct SimpleCSV: Sendable {
  private(set) var writer: CSVWriter
  private let now: Instant

  /// - Parameter now: The end of a running duration.
  init(_ dialect: TableDialect = .rfc4180, at now: Instant) {
    writer = CSVWriter(dialect, capacity: 320 * 1024)
    self.now = now
    writer.header(["Date", "Start Time", "End Time", "Duration (minutes)", "Project", "Type"])
  }

  mutating func takeBytes() -> [UInt8] { writer.takeBytes() }

  /// Writes a line for an entry.
  ///
  /// - Parameter endOffsetSeconds: The offset of the entry's zone at its end.
  mutating func append(_ entry: TimeEntry, endOffsetSeconds: Int32) {
    append(
      entry.date, from: (entry.clockInTime, entry.offsetSeconds),
      to: entry.clockOutTime.map { ($0, endOffsetSeconds) }, project: nil, type: "Work")
  }

  mutating func append(_ exported: ExportedSegment) {
    let segment = exported.segment
    append(
      exported.date, from: (segment.startTime, exported.startOffsetSeconds),
      to: segment.endTime.map { ($0, exported.endOffsetSeconds) },
      project: exported.projectName ?? exported.taskName, type: segment.kind == .break ? "Break" : "Project")
  }

  private mutating func append(
    _ date: LocalDate, from start: (time: Instant, offset: Int32), to end: (time: Instant, offset: Int32)?,
    project: String?, type: String
  ) {
    writer.date(date)
    writer.timeOfDay(start.time, offsetSeconds: start.offset)
    if let end { writer.timeOfDay(end.time, offsetSeconds: end.offset) } else { writer.text("Running") }
    let milliseconds = max(0, (end?.time ?? now).milliseconds(since: start.time))
    // Tenths of a minute, the half of one rounded up.
    let tenths = (milliseconds + 3_000) / 6_000
    writer.decimal(tenths / 10) { $0.append(decimal: tenths % 10) }
    writer.text(project)
    writer.text(type)
    writer.endLine()
  }
}

extension CSVWriter {
  /// Writes a cell with an id, or an empty one.
  fileprivate mutating func identifier<Subject>(_ value: Identifier<Subject>?) {
    if let value { identifier(value) } else { empty() }
  }

  /// Writes a cell with the time of day that a clock on the wall shows, such as `02:30:00`.
  fileprivate mutating func timeOfDay(_ instant: Instant, offsetSeconds: Int32) {
    plain { bytes in
      var wallTime: [UInt8] = []
      instant.appendWallTime(offsetSeconds: offsetSeconds, to: &wallTime)
      bytes.append(contentsOf: wallTime.suffix(8))
    }
  }
}
