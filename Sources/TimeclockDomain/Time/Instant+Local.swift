extension Instant {
  /// Appends the local time at an offset from UTC, and the offset, such as `2026-10-25 02:30:00+01:00`.
  ///
  /// Milliseconds are cut. Offsets of another century may have seconds, which are then written too (`+00:53:28`). A time
  /// outside 1900 to 9999 is written as the nearer end.
  package func appendLocal(offsetSeconds: Int32, to bytes: inout [UInt8]) {
    let shown = adding(milliseconds: Int64(offsetSeconds) * 1_000)
    ASCIIDigits.append(to: &bytes, capacity: 28) { text in
      let second = text.writeDay(of: shown)
      text.write(UInt8(ascii: " "))
      text.writeTime(second, separator: UInt8(ascii: ":"))
      text.write(UInt8(ascii: offsetSeconds < 0 ? "-" : "+"))
      let offset = Int(offsetSeconds.magnitude)
      text.writeTwoDigits(offset / 3_600)
      text.write(UInt8(ascii: ":"))
      text.writeTwoDigits(offset / 60 % 60)
      guard offset % 60 != 0 else { return }
      text.write(UInt8(ascii: ":"))
      text.writeTwoDigits(offset % 60)
    }
  }

  /// Appends the local time at an offset from UTC, such as `2026-10-25 02:30:00`, which spreadsheets take for a date
  /// with a time.
  ///
  /// Milliseconds are cut. A time outside 1900 to 9999 is written as the nearer end.
  package func appendWallTime(offsetSeconds: Int32, to bytes: inout [UInt8]) {
    let shown = adding(milliseconds: Int64(offsetSeconds) * 1_000)
    ASCIIDigits.append(to: &bytes, capacity: 19) { text in
      let second = text.writeDay(of: shown)
      text.write(UInt8(ascii: " "))
      text.writeTime(second, separator: UInt8(ascii: ":"))
    }
  }

  /// Appends the instant in UTC without punctuation, such as `20261120T090000Z` (RFC 5545, section 3.3.5).
  ///
  /// Milliseconds are cut. An instant outside 1900 to 9999 is written as the nearer end.
  package func appendBasicTime(to bytes: inout [UInt8]) {
    ASCIIDigits.append(to: &bytes, capacity: 16) { text in
      let second = text.writeDay(of: self, separator: nil)
      text.write(UInt8(ascii: "T"))
      text.writeTime(second, separator: nil)
      text.write(UInt8(ascii: "Z"))
    }
  }
}

extension ASCIIDigits {
  /// Writes the date in UTC; returns the second of its day.
  fileprivate mutating func writeDay(
    of instant: Instant, separator: UInt8? = UInt8(ascii: "-")
  ) -> Int {
    let written = min(max(instant, .earliest), .latest).millisecondsSince1970
    let days = written.flooredQuotient(by: 86_400_000)
    let date = LocalDate(daysSince1970: Int32(truncatingIfNeeded: days))
    if separator == nil {
      let (year, month, day) = date.yearMonthDay
      writeTwoDigits(year / 100)
      writeTwoDigits(year)
      writeTwoDigits(month)
      writeTwoDigits(day)
    } else {
      writeDate(date)
    }
    return Int(written - days * 86_400_000) / 1_000
  }

  fileprivate mutating func writeTime(_ secondOfDay: Int, separator: UInt8?) {
    writeTwoDigits(secondOfDay / 3_600)
    if let separator { write(separator) }
    writeTwoDigits(secondOfDay / 60 % 60)
    if let separator { write(separator) }
    writeTwoDigits(secondOfDay % 60)
  }
}
