/// RFC 3339, section 5.6, by the places of its characters, and a calendar that counts days one year after the other.
enum DateModel {
  /// - Parameter forgetsMinutesOfOneDigit: The planted fault.
  static func milliseconds(rfc3339 bytes: [UInt8], forgetsMinutesOfOneDigit: Bool) -> Int64? {
    guard bytes.count >= 20, let days = days(iso8601: Array(bytes[..<10])), bytes[10] | 0x20 == 0x74,
      let hour = number(bytes[11..<13]), bytes[13] == 0x3A, let minute = number(bytes[14..<16]),
      bytes[16] == 0x3A, let second = number(bytes[17..<19]), hour < 24, minute < 60,
      !forgetsMinutesOfOneDigit || !(1...9).contains(minute),
      second < 60
    else { return nil }
    var rest = bytes[19...]
    var milliseconds = 0
    if rest.first == 0x2E {
      let digits = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
      guard (1...9).contains(digits.count) else { return nil }
      milliseconds = number((Array(digits) + [0x30, 0x30])[..<3]) ?? 0
      rest = rest.dropFirst(1 + digits.count)
    }
    guard let offset = offset(Array(rest)) else { return nil }
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
    let first = -25_567 * 86_400
    let last = 2_932_897 * 86_400 - 1
    return seconds < first || seconds > last ? nil : Int64(seconds * 1_000 + milliseconds)
  }

  static func days(iso8601 bytes: [UInt8]) -> Int? {
    guard bytes.count == 10, let year = number(bytes[..<4]), bytes[4] == 0x2D,
      let month = number(bytes[5..<7]),
      bytes[7] == 0x2D, let day = number(bytes[8...]), year >= 1900, (1...12).contains(month)
    else { return nil }
    let february = isLeapYear(year) ? 29 : 28
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[month - 1]).contains(day) else { return nil }
    let years =
      year < 1970 ? -(year..<1970).reduce(0) { $0 + length($1) } : (1970..<year).reduce(0) { $0 + length($1) }
    return years + lengths[..<(month - 1)].reduce(0, +) + day - 1
  }

  /// Seconds east of UTC.
  private static func offset(_ bytes: [UInt8]) -> Int? {
    if bytes == [0x5A] || bytes == [0x7A] { return 0 }
    guard bytes.count == 6, let hours = number(bytes[1..<3]), bytes[3] == 0x3A,
      let minutes = number(bytes[4...]),
      hours < 24, minutes < 60
    else { return nil }
    switch bytes[0] {
    case 0x2B: return hours * 3_600 + minutes * 60
    case 0x2D: return -(hours * 3_600 + minutes * 60)
    default: return nil
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.allSatisfy { 0x30...0x39 ~= $0 } ? Int(String(decoding: digits, as: UTF8.self)) : nil
  }

  private static func length(_ year: Int) -> Int { isLeapYear(year) ? 366 : 365 }

  private static func isLeapYear(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
  }
}
