/// A content line of an iCalendar file.
struct CalendarLine: Hashable {
  /// The line of the file in which it begins, counted from 1.
  let number: Int
  /// Its bytes without the folds and the end; not empty.
  let bytes: [UInt8]
}

/// The content lines of an iCalendar file (RFC 5545, section 3.1).
///
/// Lines end in CR LF or LF, and the last one may lack its end. A line that begins with a space or a tab continues the one
/// before it, which may be cut within a character: so bytes are joined, and become text afterwards. Empty lines and a byte
/// order mark at the beginning are skipped.
struct CalendarLines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var position: Int
  private var number = 0

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
  }

  mutating func next() -> CalendarLine? {
    guard let line = takeFullLine() else { return nil }
    let first = number
    var joined = Array(line)
    var after = self
    while let more = after.takeFullLine(), more.first == 0x20 || more.first == 0x09 {
      joined += more.dropFirst()
      self = after
    }
    return CalendarLine(number: first, bytes: joined)
  }

  /// Takes the next line that is not empty; nil at the end of the file.
  private mutating func takeFullLine() -> ArraySlice<UInt8>? {
    while let line = takeLine() {
      if !line.isEmpty { return line }
    }
    return nil
  }

  /// Takes the next line as the file has it, without its end; nil at the end of the file.
  private mutating func takeLine() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let rest = bytes[position...]
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    let line = rest[..<end]
    position = end + 1
    number += 1
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
