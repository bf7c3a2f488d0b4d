import TimeclockDomain

/// Entries as lines of JSON, each one the contract's ExportedTimeEntry (github.com/ndjson/ndjson-spec).
struct TimeEntryLines: TimeEntryDocument {
  static let contentType = "application/x-ndjson"

  private var writer = JSONWriter(capacity: 320 * 1024)
  private let now: Instant

  /// - Parameter now: The end of an active entry's duration.
  init(at now: Instant) {
    self.now = now
  }

  var byteCount: Int { writer.bytes.count }

  mutating func begin() {}

  mutating func append(_ exported: ExportedTimeEntry) {
    exported.entry.write(
      to: &writer, at: now, periodState: exported.periodState, isObjected: exported.isObjected)
    writer.endLine()
  }

  mutating func end() {}

  mutating func takeBytes() -> [UInt8] { writer.takeBytes() }
}
