import TimeclockDomain

/// Writes content lines of iCalendar (RFC 5545, section 3.1): they end with CR LF, and lines of more than 75 bytes are
/// folded between two characters.
///
/// Foundation has no writer of them, and the service needs only events, a part of the standard that is smaller than a
/// dependency.
struct CalendarWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 512) {
    bytes.reserveCapacity(capacity)
  }

  /// Takes away the bytes that have been written so far; later ones continue after them.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes a line whose text the program makes itself.
  mutating func line(_ text: String) {
    line(text) { _ in }
  }

  /// Writes a line of `name` and the bytes that `append` appends.
  mutating func line(_ name: String, _ append: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes.append(contentsOf: name.utf8)
    append(&bytes)
    if bytes.count - start > Self.lineByteCount { fold(from: start) }
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes a line with an escaped text (section 3.3.11).
  mutating func text(_ name: String, _ value: String) {
    line(name) { bytes in
      for byte in value.utf8 {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
          bytes.append(UInt8(ascii: "\\"))
          bytes.append(byte)
        case UInt8(ascii: "\n"):
          bytes.append(UInt8(ascii: "\\"))
          bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\t"), 0x20..<0x7F, 0x80...: bytes.append(byte)
        // A text may hold no other control character.
        default: break
        }
      }
    }
  }

  /// Writes a line with an instant in UTC, such as `20261120T090000Z` (section 3.3.5); milliseconds are cut off.
  mutating func time(_ name: String, _ value: Instant) {
    line(name) { value.appendBasicTime(to: &$0) }
  }

  /// The greatest length of a line without its end.
  private static let lineByteCount = 75

  /// Inserts a line break and a space before the first character that does not fit; the space counts in the next part.
  private mutating func fold(from start: Int) {
    let line = Array(bytes[start...])
    bytes.removeSubrange(start...)
    var partStart = 0
    var room = Self.lineByteCount
    while line.count - partStart > room {
      var partEnd = partStart + room
      while partEnd > partStart + 1, line[partEnd] & 0xC0 == 0x80 { partEnd -= 1 }
      bytes.append(contentsOf: line[partStart..<partEnd])
      bytes.append(contentsOf: "\r\n ".utf8)
      partStart = partEnd
      room = Self.lineByteCount - 1
    }
    bytes.append(contentsOf: line[partStart...])
  }
}
