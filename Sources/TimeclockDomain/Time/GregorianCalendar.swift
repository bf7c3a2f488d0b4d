/// Arithmetic of the proleptic Gregorian calendar; total for every year an instant can reach.
///
/// The year is counted from March, so that the leap day is its last and months have a linear rule.
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
enum GregorianCalendar {
  static let daysInEra = 146_097
  static let daysFromEraStartTo1970 = 719_468

  static func isLeapYear(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days of a month from 1 to 12; 0 for any other number.
  static func dayCount(month: Int, year: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: isLeapYear(year) ? 29 : 28
    default: 0
    }
  }

  /// The day's number; the month must be 1 to 12.
  static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear.flooredQuotient(by: 400)
    let yearOfEra = marchYear - era * 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysInEra + dayOfEra - daysFromEraStartTo1970
  }

  /// The year, the month from 1 to 12 and the day from 1 to 31 of a day's number.
  ///
  /// Days of the years that text can state take the shorter way of Neri and Schneider, "Euclidean Affine Functions and
  /// Applications to Calendar Algorithms", figure 12: 32 bits, and products in place of most quotients.
  static func yearMonthDay(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    guard let shifted = UInt32(exactly: days + daysFromEraStartTo1970), shifted < 1 << 28 else {
      return yearMonthDay(anyDaysSince1970: days)
    }
    let (century, quarterDayOfCentury) = (4 &* shifted &+ 3).quotientAndRemainder(
      dividingBy: UInt32(daysInEra))
    // 2,939,745 is 2^32 / 1461, so the product's upper half is a year and its lower one the part of it that is over.
    let yearAndPart = UInt64(quarterDayOfCentury | 3) &* 2_939_745
    let marchYear = 100 &* century &+ UInt32(truncatingIfNeeded: yearAndPart >> 32)
    let dayOfYear = UInt32(truncatingIfNeeded: yearAndPart) / 2_939_745 / 4
    // Months have 30.6 days on average: 2141 is 2^16 / 30.6.
    let monthAndPart = 2141 &* dayOfYear &+ 197_913
    let isNextYear = dayOfYear >= 306
    let month = monthAndPart >> 16
    return (
      Int(marchYear) + (isNextYear ? 1 : 0), Int(isNextYear ? month &- 12 : month),
      Int((monthAndPart & 0xFFFF) / 2141 &+ 1)
    )
  }

  /// The same for any number of days.
  private static func yearMonthDay(anyDaysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + daysFromEraStartTo1970
    let era = shifted.flooredQuotient(by: daysInEra)
    let dayOfEra = shifted - era * daysInEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The day of the week, 0 for Sunday to 6 for Saturday.
  static func weekday(daysSince1970 days: Int) -> Int {
    // 1970-01-01 was a Thursday.
    (days + 4).flooredRemainder(by: 7)
  }
}
