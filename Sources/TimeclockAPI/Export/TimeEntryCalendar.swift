import TimeclockDomain

/// Entries as the events of a calendar (RFC 5545).
///
/// An event's id is the entry's, and its sequence number counts the entry's changes, so a program that reads the
/// calendar again updates its events. An active entry ends at the time of the export, and its event says so.
struct TimeEntryCalendar: TimeEntryDocument {
  static let contentType = "text/calendar; charset=utf-8"

  private var writer = CalendarWriter(capacity: 320 * 1024)
  private let now: Instant

  /// - Parameter now: The end of an active entry.
  init(at now: Instant) {
    self.now = now
  }

  var byteCount: Int { writer.bytes.count }

  mutating func begin() {
    writer.line("BEGIN:VCALENDAR")
    writer.line("VERSION:2.0")
    writer.line("PRODID:-//Timeclock//Time entries//EN")
    writer.line("CALSCALE:GREGORIAN")
  }

  mutating func append(_ exported: ExportedTimeEntry) {
    let entry = exported.entry
    // Times in a calendar have whole seconds, and an event has to end after it begins.
    let end = max(entry.clockOutTime ?? now, entry.clockInTime.adding(milliseconds: 1_000))
    writer.line("BEGIN:VEVENT")
    writer.line("UID:") { entry.id.append(to: &$0) }
    writer.time("DTSTAMP:", entry.updatedAt)
    writer.time("CREATED:", entry.createdAt)
    writer.time("LAST-MODIFIED:", entry.updatedAt)
    writer.line("SEQUENCE:\(entry.version - 1)")
    writer.time("DTSTART:", entry.clockInTime)
    writer.time("DTEND:", end)
    let title = exported.sessionTitle ?? "Work"
    writer.text("SUMMARY:", entry.status == .clockedIn ? "\(title) (clocked in)" : title)
    if let notes = entry.notes { writer.text("DESCRIPTION:", notes.text) }
    writer.line("END:VEVENT")
  }

  mutating func end() {
    writer.line("END:VCALENDAR")
  }

  mutating func takeBytes() -> [UInt8] { writer.takeBytes() }
}
