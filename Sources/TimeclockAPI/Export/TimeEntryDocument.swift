import TimeclockDomain

/// A document of many time entries, written a part at a time.
protocol TimeEntryDocument: Sendable {
  /// The content type of the answer.
  static var contentType: String { get }
  /// The number of bytes that wait to be taken.
  var byteCount: Int { get }

  /// Writes the part before the first entry.
  mutating func begin()
  mutating func append(_ exported: ExportedTimeEntry)
  /// Writes the part after the last entry.
  mutating func end()
  /// Takes away the bytes that have been written so far; later ones continue after them.
  mutating func takeBytes() -> [UInt8]
}
