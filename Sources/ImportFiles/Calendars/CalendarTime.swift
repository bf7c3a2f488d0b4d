import TimeclockDomain

/// A date of an iCalendar file, or a date with a time of day, as written in whatever zone.
struct CalendarTime: Hashable {
  let date: LocalDate
  /// The seconds since midnight; 0 for a date alone.
  let second: Int

  /// Reads `20261225` (RFC 5545, section 3.3.4) and `20261225T090000`, with or without `Z` (section 3.3.5); nil for any other
  /// text, and for dates before 1900.
  init?(_ text: String) {
    guard var cursor = ASCIICursor(text.utf8, byteLimit: 16),
      let year = cursor.number(digits: 4), let month = cursor.number(digits: 2),
      let day = cursor.number(digits: 2), let date = LocalDate(year: year, month: month, day: day)
    else { return nil }
    self.date = date
    guard !cursor.isAtEnd else {
      second = 0
      return
    }
    // A leap second is the 60th.
    guard cursor.skip(UInt8(ascii: "T")),
      let hour = cursor.number(digits: 2), let minute = cursor.number(digits: 2),
      let second = cursor.number(digits: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    _ = cursor.skip(UInt8(ascii: "Z"))
    guard cursor.isAtEnd else { return nil }
    self.second = hour * 3_600 + minute * 60 + min(second, 59)
  }

  /// The seconds from this time to another one; negative if that is before it. Days have 24 hours.
  func seconds(to other: CalendarTime) -> Int {
    Int(other.date.daysSince1970 - date.daysSince1970) * 86_400 + other.second - second
  }
}

/// A length of time of an iCalendar file.
enum CalendarDuration {
  private static let dateUnits: [UInt8: Int] = [UInt8(ascii: "W"): 604_800, UInt8(ascii: "D"): 86_400]
  private static let timeUnits: [UInt8: Int] = [
    UInt8(ascii: "H"): 3_600, UInt8(ascii: "M"): 60, UInt8(ascii: "S"): 1,
  ]

  /// Reads the seconds of `P1D`, `P2W`, `PT12H` or `P1DT12H` (RFC 5545, section 3.3.6); nil for any other text, and for a
  /// negative length.
  static func seconds(_ text: String) -> Int? {
    guard var cursor = ASCIICursor(text.utf8, byteLimit: 32) else { return nil }
    _ = cursor.skip(UInt8(ascii: "+"))
    guard cursor.skip(UInt8(ascii: "P")), !cursor.isAtEnd else { return nil }
    var units = dateUnits
    var sum = 0
    while !cursor.isAtEnd {
      if units == dateUnits, cursor.skip(UInt8(ascii: "T")) { units = timeUnits }
      guard let number = cursor.number(upTo: 1_000_000), let unit = cursor.take(where: { _ in true }),
        let seconds = units[unit]
      else { return nil }
      sum += number * seconds
    }
    return sum
  }
}
