/// A day of the week.
package enum Weekday: String, CaseIterable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// The day of ISO 8601's number: 1 for Monday to 7 for Sunday; nil for any other number.
  package init?(number: Int64) {
    guard (1...7).contains(number) else { return nil }
    self = Self.allCases[Int(number) - 1]
  }

  /// ISO 8601's number: 1 for Monday to 7 for Sunday.
  package var number: Int64 {
    switch self {
    case .monday: 1
    case .tuesday: 2
    case .wednesday: 3
    case .thursday: 4
    case .friday: 5
    case .saturday: 6
    case .sunday: 7
    }
  }
}

extension LocalDate {
  /// The day of the week.
  package var weekday: Weekday {
    let number = GregorianCalendar.weekday(daysSince1970: Int(daysSince1970))
    return Weekday.allCases[(number + 6) % 7]
  }

  /// The last date at or before this one that is such a day; `earliest` if there is none.
  package func startOfWeek(beginning first: Weekday) -> LocalDate {
    adding(days: -Int((weekday.number - first.number + 7) % 7))
  }

  /// The first date of this one's month.
  package var startOfMonth: LocalDate { adding(days: 1 - day) }

  /// The last date of this one's month.
  package var endOfMonth: LocalDate {
    let (year, month, day) = yearMonthDay
    return adding(days: GregorianCalendar.dayCount(month: month, year: year) - day)
  }
}
