import TimeclockDomain

/// A time of day in the forms in which files write it.
enum StatedTime {
  /// Reads hours and minutes, with or without seconds, on a clock of 24 hours or, followed by `am` or `pm`, of 12.
  ///
  /// - Returns: Milliseconds since midnight; nil for any other text.
  static func millisecondOfDay(_ text: String) -> Int64? {
    // Some browsers write a narrow no-break space before AM and PM.
    let bytes = text.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "." }
      .map { $0.isASCII ? UInt8($0.value) : 0xFF }
    guard var cursor = ASCIICursor(bytes, byteLimit: 10), var hour = cursor.number(upTo: 99),
      let (minute, second) = cursor.readMinuteAndSecond()
    else { return nil }
    if let half = cursor.take(where: { [0x61, 0x70].contains($0 | 0x20) }) {
      guard cursor.take(where: { $0 | 0x20 == 0x6D }) != nil, (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half | 0x20 == 0x70 ? 12 : 0)
    }
    guard cursor.isAtEnd, hour <= 23 else { return nil }
    return Int64(hour * 3_600 + minute * 60 + second) * 1_000
  }
}

/// A length of time in the forms in which files write it.
enum StatedDuration {
  /// Reads hours, minutes and seconds between colons, hours and minutes, hours with a fraction after a full stop or a
  /// comma, or whole numbers with their units, such as `7h 30m`.
  ///
  /// - Returns: Seconds; nil for any other text.
  static func seconds(_ text: String) -> Int64? {
    guard var cursor = ASCIICursor(text.utf8, byteLimit: 20), let hours = cursor.number(upTo: 99_999) else {
      return nil
    }
    let whole = Int64(hours) * 3_600
    if cursor.isAtEnd { return whole }
    if cursor.skip(UInt8(ascii: ".")) || cursor.skip(UInt8(ascii: ",")) {
      var (value, scale): (Int64, Int64) = (0, 1)
      while let digit = cursor.digit() {
        guard scale < 1_000_000_000 else { continue }
        value = value * 10 + Int64(digit)
        scale *= 10
      }
      return cursor.isAtEnd && scale > 1 ? whole + (value * 3_600 + scale / 2) / scale : nil
    }
    guard cursor.next == UInt8(ascii: ":") else { return secondsByUnits(text) }
    guard let (minute, second) = cursor.readMinuteAndSecond(), cursor.isAtEnd else { return nil }
    return whole + Int64(minute * 60 + second)
  }

  /// Reads numbers of hours, minutes and seconds, each of which may be left out, with `h`, `m` or `min`, and `s` behind them.
  private static func secondsByUnits(_ text: String) -> Int64? {
    guard var cursor = ASCIICursor(text.utf8.filter { $0 != 0x20 }, byteLimit: 20) else { return nil }
    var sum: Int64 = 0
    var units: ArraySlice<(letter: UInt8, seconds: Int64)> = [
      (UInt8(ascii: "h"), 3_600), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
    ]
    repeat {
      guard let number = cursor.number(upTo: 99_999), let letter = cursor.take(where: { _ in true }),
        let place = units.firstIndex(where: { $0.letter == letter | 0x20 })
      else { return nil }
      if letter | 0x20 == UInt8(ascii: "m"), cursor.skip(UInt8(ascii: "i")), !cursor.skip(UInt8(ascii: "n")) {
        return nil
      }
      sum += Int64(number) * units[place].seconds
      units = units[(place + 1)...]
    } while !cursor.isAtEnd
    return sum
  }
}

/// A date and a time of day in one field.
enum StatedInstant {
  /// Reads a date-time of RFC 3339, or any date with a time of day, with "T" or a space between the two. Without an offset
  /// it is a local time.
  static func time(_ text: String, _ order: DateOrder) -> ImportTime? {
    if let instant = Instant(rfc3339: text.utf8.map { $0 == 0x20 ? UInt8(ascii: "T") : $0 }) {
      return .instant(instant)
    }
    guard let (date, time) = parts(text), let date = StatedDate(date)?.date(order),
      let millisecondOfDay = StatedTime.millisecondOfDay(time)
    else { return nil }
    return .local(LocalTime(date: date, millisecondOfDay: millisecondOfDay))
  }

  /// Reads the date alone.
  static func date(_ text: String) -> StatedDate? { parts(text).flatMap { StatedDate($0.date) } }

  private static func parts(_ text: String) -> (date: String, time: String)? {
    guard let end = text.utf8.firstIndex(where: { [0x20, 0x54, 0x74].contains($0) }) else { return nil }
    return (String(text[..<end]), String(text[text.utf8.index(after: end)...]))
  }
}

extension ASCIICursor {
  /// Reads `:MM`, and `:SS` if it follows.
  fileprivate mutating func readMinuteAndSecond() -> (minute: Int, second: Int)? {
    guard skip(UInt8(ascii: ":")), let minute = number(digits: 2), minute <= 59 else { return nil }
    guard skip(UInt8(ascii: ":")) else { return (minute, 0) }
    guard let second = number(digits: 2), second <= 59 else { return nil }
    return (minute, second)
  }
}
