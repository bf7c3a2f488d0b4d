/// A week of ISO 8601: it begins on a Monday, and belongs to the year of its Thursday.
package struct ISOWeek: Hashable, Sendable {
  package let year: Int
  /// 1 to 53.
  package let number: Int

  /// The week of a date.
  package init(_ date: LocalDate) {
    // Not by `adding`, which stops at the ends of the calendar.
    let thursday = Int(date.daysSince1970) - Int(date.weekday.number) + 4
    year = GregorianCalendar.yearMonthDay(daysSince1970: thursday).year
    number = (thursday - GregorianCalendar.daysSince1970(year: year, month: 1, day: 1)) / 7 + 1
  }
}
