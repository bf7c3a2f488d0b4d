import TimeclockDomain

/// Entries as a table for spreadsheets.
struct TimeEntryCSV: TimeEntryDocument {
  static let contentType = "text/csv; charset=utf-8"

  private var writer: CSVWriter
  private let zones: TimeZoneDatabase
  private let now: Instant
  private let durations: DurationForm
  /// Rounding carries over within a member, whose entries need not be neighbors.
  private var carried: [UserID: CarriedDurations] = [:]
  /// The zone of the last entry, which is usually the next one's too; nil if the system has no zone with the name.
  private var lastZone: (identifier: TimeZoneIdentifier, zone: Zone?)?

  /// - Parameter now: The end of an active entry's duration.
  init(
    _ dialect: TableDialect = .rfc4180, zones: TimeZoneDatabase, durations: DurationForm = .seconds,
    at now: Instant
  ) {
    writer = CSVWriter(dialect, capacity: 320 * 1024)
    self.zones = zones
    self.now = now
    self.durations = durations
  }

  var byteCount: Int { writer.bytes.count }

  mutating func begin() {
    writer.header([
      "id", "userId", "userName", "userEmail", "date", "clockInTime", "clockOutTime", "clockInLocal",
      "clockOutLocal", "timeZone", durations.columnName("duration"), "status", "sessionId", "sessionTitle",
      "source",
      "flags",
      "notes", "createdAt", "updatedAt", "personnelNumber", "clockInWallTime", "clockOutWallTime",
      "periodState", "objected",
    ])
  }

  mutating func append(_ exported: ExportedTimeEntry) {
    let entry = exported.entry
    writer.identifier(entry.id)
    writer.identifier(entry.userID)
    writer.text(exported.userName)
    writer.text(exported.userEmail)
    writer.date(entry.date)
    writer.instant(entry.clockInTime)
    let clockOut = entry.clockOutTime.map { ($0, offsetSeconds: offsetSeconds(at: $0, of: entry)) }
    if let (time, _) = clockOut { writer.instant(time) } else { writer.empty() }
    writer.local(entry.clockInTime, offsetSeconds: entry.offsetSeconds)
    if let (time, offset) = clockOut { writer.local(time, offsetSeconds: offset) } else { writer.empty() }
    writer.text(entry.timeZone.name)
    let units = carried[entry.userID, default: CarriedDurations(durations)].next(
      entry.durationSeconds(at: now))
    writer.duration(units, as: durations)
    writer.text(entry.status.rawValue)
    if let session = entry.sessionID { writer.identifier(session) } else { writer.empty() }
    writer.text(exported.sessionTitle)
    writer.text(entry.shownSource)
    writer.flags(entry.flags)
    writer.text(entry.notes?.text)
    writer.instant(entry.createdAt)
    writer.instant(entry.updatedAt)
    writer.text(exported.personnelNumber)
    writer.wallTime(entry.clockInTime, offsetSeconds: entry.offsetSeconds)
    if let (time, offset) = clockOut { writer.wallTime(time, offsetSeconds: offset) } else { writer.empty() }
    writer.text(exported.periodState.rawValue)
    writer.text(exported.isObjected ? "true" : "false")
    writer.endLine()
  }

  mutating func end() {}

  mutating func takeBytes() -> [UInt8] { writer.takeBytes() }

  /// Returns the offset of the entry's zone, or of its clock-in if the system no longer has the zone.
  private mutating func offsetSeconds(at instant: Instant, of entry: TimeEntry) -> Int32 {
    if lastZone?.identifier != entry.timeZone {
      lastZone = (entry.timeZone, zones.zone(entry.timeZone))
    }
    return lastZone?.zone?.offsetSeconds(at: instant) ?? entry.offsetSeconds
  }
}

extension CSVWriter {
  /// Writes a cell with the local time, such as `2026-10-25 02:30:00+01:00`; milliseconds are cut off.
  mutating func local(_ instant: Instant, offsetSeconds: Int32) {
    plain { instant.appendLocal(offsetSeconds: offsetSeconds, to: &$0) }
  }

  /// Writes a cell with the names of flags, separated by spaces.
  fileprivate mutating func flags(_ flags: TimeEntryFlags) {
    plain { bytes in
      guard !flags.isEmpty else { return }
      let names = TimeEntryFlags.names.lazy.filter { flags.contains($0.flag) }.map(\.name)
      bytes.append(contentsOf: names.joined(separator: " ").utf8)
    }
  }
}
