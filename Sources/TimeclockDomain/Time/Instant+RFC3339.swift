extension Instant {
  private static let longestText = "1900-01-01T00:00:00.123456789+00:00".utf8.count

  /// Reads a date-time of RFC 3339, section 5.6.
  ///
  /// An offset is required. "T" and "Z" may be lower case; a space for "T" is refused. One to nine digits of a
  /// fraction are cut, not rounded, to milliseconds. Second 60 is refused, since POSIX time has none.
  ///
  /// - Returns: nil for any other text, and for an instant outside `earliest...latest`.
  package init?(rfc3339 text: some Collection<UInt8>) {
    guard var cursor = ASCIICursor(text, byteLimit: Self.longestText),
      let date = cursor.readDate(),
      cursor.skip(Symbol.upperT) || cursor.skip(Symbol.lowerT),
      let secondOfDay = cursor.readSecondOfDay(),
      let milliseconds = cursor.readFraction(),
      let offsetSeconds = cursor.readOffset(),
      cursor.isAtEnd
    else { return nil }
    // Years have four digits here, so nothing overflows.
    let seconds = Int64(date.daysSince1970) * 86_400 + secondOfDay - offsetSeconds
    self.init(millisecondsSince1970: seconds * 1000 + milliseconds)
    guard self >= .earliest, self <= .latest else { return nil }
  }

  /// Reads a date-time of RFC 3339, section 5.6; see `init(rfc3339:)` for bytes.
  package init?(rfc3339 text: String) {
    self.init(rfc3339: text.utf8)
  }

  /// The date-time of RFC 3339 in UTC with milliseconds, such as "2026-11-20T09:00:00.000Z": always 24 bytes.
  ///
  /// An instant outside `earliest...latest` is written as the nearer of the two.
  package var rfc3339: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    appendRFC3339(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the 24 bytes of `rfc3339`.
  package func appendRFC3339(to bytes: inout [UInt8]) {
    ASCIIDigits.append(to: &bytes, capacity: 24) { $0.write(self) }
  }

  /// Fills the first 24 places of `buffer` with `rfc3339`.
  package func writeRFC3339(to buffer: UnsafeMutableBufferPointer<UInt8>) {
    ASCIIDigits.fill(buffer) { $0.write(self) }
  }
}

extension ASCIIDigits {
  fileprivate mutating func write(_ instant: Instant) {
    let written = min(max(instant, .earliest), .latest).millisecondsSince1970
    let days = written.flooredQuotient(by: 86_400_000)
    let millisecondOfDay = Int(written - days * 86_400_000)
    writeDate(LocalDate(daysSince1970: Int32(truncatingIfNeeded: days)))
    write(Symbol.upperT)
    writeTwoDigits(millisecondOfDay / 3_600_000)
    write(Symbol.colon)
    writeTwoDigits(millisecondOfDay / 60_000 % 60)
    write(Symbol.colon)
    writeTwoDigits(millisecondOfDay / 1000 % 60)
    write(Symbol.fullStop)
    writeDigit(millisecondOfDay / 100)
    writeTwoDigits(millisecondOfDay)
    write(Symbol.upperZ)
  }
}

private enum Symbol {
  static let plus = UInt8(ascii: "+")
  static let minus = UInt8(ascii: "-")
  static let fullStop = UInt8(ascii: ".")
  static let colon = UInt8(ascii: ":")
  static let upperT = UInt8(ascii: "T")
  static let lowerT = UInt8(ascii: "t")
  static let upperZ = UInt8(ascii: "Z")
  static let lowerZ = UInt8(ascii: "z")
}

extension ASCIICursor {
  /// `partial-time` without its fraction, as seconds since midnight.
  fileprivate mutating func readSecondOfDay() -> Int64? {
    guard let hour = number(digits: 2), hour <= 23, skip(Symbol.colon),
      let minute = number(digits: 2), minute <= 59, skip(Symbol.colon),
      let second = number(digits: 2), second <= 59
    else { return nil }
    return Int64(hour * 3600 + minute * 60 + second)
  }

  /// `time-secfrac`, which may be absent, as whole milliseconds.
  fileprivate mutating func readFraction() -> Int64? {
    guard skip(Symbol.fullStop) else { return 0 }
    var milliseconds = 0
    var count = 0
    while let digit = digit() {
      if count < 3 { milliseconds = milliseconds * 10 + digit }
      count += 1
    }
    switch count {
    case 1: return Int64(milliseconds * 100)
    case 2: return Int64(milliseconds * 10)
    case 3...9: return Int64(milliseconds)
    default: return nil
    }
  }

  /// `time-offset`, as seconds east of UTC. "-00:00" counts as UTC (RFC 3339, section 4.3).
  fileprivate mutating func readOffset() -> Int64? {
    if skip(Symbol.upperZ) || skip(Symbol.lowerZ) { return 0 }
    let isWest = skip(Symbol.minus)
    guard isWest || skip(Symbol.plus),
      let hours = number(digits: 2), hours <= 23, skip(Symbol.colon),
      let minutes = number(digits: 2), minutes <= 59
    else { return nil }
    let seconds = Int64(hours * 3600 + minutes * 60)
    return isWest ? -seconds : seconds
  }
}
