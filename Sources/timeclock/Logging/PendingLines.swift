import Logging
import TimeclockDomain

/// Log lines that wait to be written, and the number of lines that were dropped for want of room.
struct PendingLines {
  private(set) var bytes: [UInt8] = []
  private var droppedCount = 0
  /// The second of the last line since 1970, and its text. Lines of the same second differ only in their milliseconds.
  private var second: Int64 = -1
  private var secondText: [UInt8] = []

  /// The most bytes that are kept for a reader that has stopped reading; further lines are dropped.
  private static let limit = 4 << 20

  /// The form of the lines that are added from now on.
  var format = LogFormat.text

  /// Adds a line, without its line feed, or drops it. Characters that could be taken for more than one line are escaped
  /// (`LogText`).
  ///
  /// - Parameter fields: Facts with their names, which stand behind the message.
  /// - Returns: Whether it is the first line that waits.
  mutating func append(_ message: String, level: Logger.Level, fields: Logger.Metadata = [:]) -> Bool {
    guard bytes.count < Self.limit else {
      droppedCount += 1
      return false
    }
    let isFirst = bytes.isEmpty
    add(message, level: level, fields: fields)
    return isFirst
  }

  /// Takes all lines. If lines were dropped since the last time, the last line states their number.
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

  private mutating func add(_ message: String, level: Logger.Level, fields: Logger.Metadata = [:]) {
    switch format {
    case .text: addText(message, level, fields)
    case .json: addJSON(message, level, fields)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds an object: `time`, `level` and `message`, then the fields in alphabetical order.
  private mutating func addJSON(_ message: String, _ level: Logger.Level, _ fields: Logger.Metadata) {
    bytes.append(contentsOf: #"{"time":""#.utf8)
    addTime()
    bytes.append(contentsOf: #"","level":""#.utf8)
    bytes.append(contentsOf: level.rawValue.utf8)
    bytes.append(contentsOf: #"","message":"#.utf8)
    JSONLogText.append(message, to: &bytes)
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      bytes.append(UInt8(ascii: ","))
      JSONLogText.append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      JSONLogText.append(value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func addText(_ message: String, _ level: Logger.Level, _ fields: Logger.Metadata) {
    addTime()
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: level.rawValue.utf8)
    bytes.append(UInt8(ascii: " "))
    var line = message
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { line += " \(name)=\(value)" }
    line.withUTF8 { line in
      if Self.isPlain(line) {
        bytes.append(contentsOf: line)
      } else {
        bytes.append(contentsOf: LogText.escaped(String(decoding: line, as: UTF8.self)).utf8)
      }
    }
  }

  /// Adds the time of a line: `2026-11-20T09:00:00.000Z`.
  private mutating func addTime() {
    // A clock before 1970 gives 1970.
    let milliseconds = max(0, WallClock.system.now.millisecondsSince1970)
    if milliseconds / 1000 != second {
      second = milliseconds / 1000
      secondText.removeAll(keepingCapacity: true)
      Instant(millisecondsSince1970: second * 1000).appendRFC3339(to: &secondText)
      secondText.removeLast(4)
    }
    bytes.append(contentsOf: secondText)
    let fraction = UInt16(truncatingIfNeeded: milliseconds - second * 1000)
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 100))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 10 % 10))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction % 10))
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Whether all bytes are printable ASCII. It checks all of them, which is quicker than stopping at the first other one.
  private static func isPlain(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var other: UInt8 = 0
    for byte in line { other |= byte &- 0x20 < 0x5F ? 0 : 1 }
    return other == 0
  }
}
