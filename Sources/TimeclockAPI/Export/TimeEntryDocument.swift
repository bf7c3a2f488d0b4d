import TimeclockDomain

/// A document of many time entries, written a part at a time.
protocol TimeEntryDocument: Sendable {
  /// The content type of the answer.
  static var contentType: String { get }
  /// How many bytes wait to be taken.
  var byteCount: Int { get }

  /// Writes what stands before the first entry.
  mutating func begin()
  mutating func append(_ exported: ExportedTimeEntry)
  /// Writes what stands behind the last entry.
  mutating func end()
  /// Takes away what was written so far; what is written next goes on behind it.
  mutating func takeBytes() -> [UInt8]
}
