/// The current time as a `Date` field, renewed only when the second changes.
///
/// strftime(3) would write the names of days and months of the process's locale, and needs the C library, which this
/// module does not import. The fuzz target `fields` compares the date with gmtime_r(3).
package struct HTTPDate: Sendable {
  /// The seconds since 1970 that `field` shows.
  private var seconds: Int64
  /// `Date: Sun, 06 Nov 1994 08:49:37 GMT` and CR LF (RFC 9110, sections 5.6.7 and 6.6.1).
  private(set) var field: [UInt8]

  /// The date at a number of seconds since 1970, UTC.
  package init(secondsSince1970 seconds: Int64) {
    self.seconds = seconds
    field = Self.makeField(seconds)
  }

  /// Moves the date to another second.
  package mutating func update(secondsSince1970 seconds: Int64) {
    guard seconds != self.seconds else { return }
    self = HTTPDate(secondsSince1970: seconds)
  }

  /// The date as an IMF-fixdate (RFC 9110, section 5.6.7), 29 characters.
  package var text: String {
    String(decoding: field.dropFirst(6).dropLast(2), as: UTF8.self)
  }

  private static func makeField(_ secondsSince1970: Int64) -> [UInt8] {
    // The years that an IMF-fixdate can show, 0001 to 9999.
    let seconds = min(max(secondsSince1970, -62_135_596_800), 253_402_300_799)
    let days = seconds.flooredQuotient(by: 86_400)
    let secondOfDay = seconds - days * 86_400
    let (year, month, day) = civil(daysSince1970: days)
    let weekday = days + 4 - (days + 4).flooredQuotient(by: 7) * 7
    var field = Array("Date: ".utf8)
    field.append(contentsOf: name(weekday, in: "SunMonTueWedThuFriSat"))
    field.append(contentsOf: ", ".utf8)
    field.appendDecimal(day, digitCount: 2)
    field.append(ASCII.space)
    field.append(contentsOf: name(month - 1, in: "JanFebMarAprMayJunJulAugSepOctNovDec"))
    field.append(ASCII.space)
    field.appendDecimal(year, digitCount: 4)
    field.append(ASCII.space)
    field.appendDecimal(secondOfDay / 3600, digitCount: 2)
    field.append(ASCII.colon)
    field.appendDecimal(secondOfDay / 60 % 60, digitCount: 2)
    field.append(ASCII.colon)
    field.appendDecimal(secondOfDay % 60, digitCount: 2)
    field.append(contentsOf: " GMT\r\n".utf8)
    return field
  }

  private static func name(_ index: Int64, in names: String) -> Substring.UTF8View {
    names.utf8.dropFirst(Int(index) * 3).prefix(3)
  }

  /// The Gregorian date of a day, reckoned in years that begin in March and eras of 400 years.
  private static func civil(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = daysSince1970 + 719_468
    let era = days.flooredQuotient(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  /// The quotient rounded towards negative infinity, for a positive divisor.
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
