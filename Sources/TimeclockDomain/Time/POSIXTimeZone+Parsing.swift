extension POSIXTimeZone {
  /// Reads a `TZ` string such as "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX.1-2017, section 8.3; RFC 9636, section 3.3).
  ///
  /// - Returns: nil for any other text, and for daylight saving time without its two changes, whose meaning
  ///   is left to each implementation.
  init?(_ text: [UInt8]) {
    var cursor = ASCIICursor(text)
    guard cursor.skipZoneName(), let west = cursor.readZoneOffset() else { return nil }
    standardOffset = -west
    guard !cursor.isAtEnd else { return }
    guard let daylightSaving = cursor.readDaylightSaving(standardOffset: standardOffset), cursor.isAtEnd
    else { return nil }
    self.daylightSaving = daylightSaving
  }
}

extension ASCIICursor {
  /// Steps over three or more letters, or three or more letters, digits, "+" and "-" in angle brackets.
  fileprivate mutating func skipZoneName() -> Bool {
    let isQuoted = skip(UInt8(ascii: "<"))
    var count = 0
    while take(where: { isQuoted ? isQuotedNameByte($0) : isLetter($0) }) != nil { count += 1 }
    return count >= 3 && (!isQuoted || skip(UInt8(ascii: ">")))
  }

  /// `[+-]hh[:mm[:ss]]` as seconds, positive to the west as POSIX has it.
  fileprivate mutating func readZoneOffset() -> Int32? {
    readSignedTime(hourLimit: 24)
  }

  fileprivate mutating func readDaylightSaving(standardOffset: Int32) -> POSIXTimeZone.DaylightSaving? {
    guard skipZoneName() else { return nil }
    var offset = standardOffset + 3600
    if next != UInt8(ascii: ",") {
      guard let west = readZoneOffset() else { return nil }
      offset = -west
    }
    guard skip(UInt8(ascii: ",")), let start = readYearlyChange(),
      skip(UInt8(ascii: ",")), let end = readYearlyChange()
    else { return nil }
    return POSIXTimeZone.DaylightSaving(offset: offset, start: start, end: end)
  }

  private mutating func readYearlyChange() -> POSIXYearlyChange? {
    guard let day = readYearlyDay() else { return nil }
    var time: Int32 = 2 * 3600
    if skip(UInt8(ascii: "/")) {
      guard let stated = readSignedTime(hourLimit: 167) else { return nil }
      time = stated
    }
    return POSIXYearlyChange(day: day, time: time)
  }

  private mutating func readYearlyDay() -> POSIXYearlyChange.Day? {
    if skip(UInt8(ascii: "J")) {
      guard let number = number(upTo: 365), number >= 1 else { return nil }
      return .withoutLeapDay(number)
    }
    guard skip(UInt8(ascii: "M")) else { return number(upTo: 365).map { .withLeapDay($0) } }
    guard let month = number(upTo: 12), month >= 1, skip(UInt8(ascii: ".")),
      let week = number(upTo: 5), week >= 1, skip(UInt8(ascii: ".")),
      let weekday = number(upTo: 6)
    else { return nil }
    return .weekday(month: month, week: week, weekday: weekday)
  }

  /// `[+-]hh[:mm[:ss]]` as seconds.
  private mutating func readSignedTime(hourLimit: Int) -> Int32? {
    let isNegative = skip(UInt8(ascii: "-"))
    if !isNegative { _ = skip(UInt8(ascii: "+")) }
    guard let hours = number(upTo: hourLimit),
      let minutes = readSexagesimalPart(), let seconds = readSexagesimalPart()
    else { return nil }
    let total = Int32(hours * 3600 + minutes * 60 + seconds)
    return isNegative ? -total : total
  }

  /// `:nn` from 00 to 59; 0 when there is no colon.
  private mutating func readSexagesimalPart() -> Int? {
    guard skip(UInt8(ascii: ":")) else { return 0 }
    guard let number = number(digits: 2), number <= 59 else { return nil }
    return number
  }
}

private func isLetter(_ byte: UInt8) -> Bool {
  (byte | 0x20) &- UInt8(ascii: "a") < 26
}

private func isQuotedNameByte(_ byte: UInt8) -> Bool {
  isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
}
