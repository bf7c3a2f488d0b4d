import Logging
import TimeclockDomain

/// Log lines that wait to be written, and how many did not find room among them.
struct PendingLines {
  private(set) var bytes: [UInt8] = []
  private var droppedCount = 0

  /// More than this many bytes are not kept for a reader who has stopped reading; lines are dropped instead.
  private static let limit = 4 << 20

  /// Adds a line, without its line feed, or drops it; control characters become question marks.
  ///
  /// - Returns: Whether it is the first that waits.
  mutating func append(_ line: String, level: Logger.Level) -> Bool {
    guard bytes.count < Self.limit else {
      droppedCount += 1
      return false
    }
    let isFirst = bytes.isEmpty
    add(line, level: level)
    return isFirst
  }

  /// Takes everything; where lines were dropped since the last time, the last line says how many.
  mutating func takeAll() -> [UInt8] {
    if droppedCount > 0 {
      add("\(droppedCount) log lines dropped", level: .warning)
      droppedCount = 0
    }
    defer { bytes.removeAll(keepingCapacity: bytes.count < 65_536) }
    return bytes
  }

  /// Counts the lines that end in `lost`, bytes taken but not written, as dropped.
  mutating func noteLost(_ lost: some Sequence<UInt8>) {
    droppedCount += lost.count { $0 == UInt8(ascii: "\n") }
  }

  private mutating func add(_ line: String, level: Logger.Level) {
    // The time of a log line: `2026-11-20T09:00:00.000Z`.
    WallClock.system.now.appendRFC3339(to: &bytes)
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: level.rawValue.utf8)
    bytes.append(UInt8(ascii: " "))
    var line = line
    line.withUTF8 { line in
      if line.contains(where: Self.isControl) {
        bytes.append(contentsOf: line.lazy.map { Self.isControl($0) ? UInt8(ascii: "?") : $0 })
      } else {
        bytes.append(contentsOf: line)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F
  }
}
