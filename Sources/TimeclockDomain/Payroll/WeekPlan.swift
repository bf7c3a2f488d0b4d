/// The planned work of each day of one week or of several, which repeat.
package struct WeekPlan: Hashable, Sendable {
  /// Seconds of each day, from a Monday on: seven for each week.
  package let secondsByWeekday: [Int64]

  /// The most weeks of one plan.
  package static let maximumWeeks = 8
  /// The seconds that may be planned for one day.
  package static let bounds: ClosedRange<Int64> = 0...86_400

  /// A plan that states each day.
  ///
  /// - Parameter secondsByWeekday: From Monday on, for one week to eight.
  /// - Throws: `TimeclockError.invalidSchedule` for another number of days, or seconds outside of `bounds`.
  package init(secondsByWeekday: [Int64]) throws {
    let (weeks, days) = secondsByWeekday.count.quotientAndRemainder(dividingBy: 7)
    guard days == 0, (1...Self.maximumWeeks).contains(weeks),
      secondsByWeekday.allSatisfy(Self.bounds.contains)
    else { throw TimeclockError.invalidSchedule }
    self.secondsByWeekday = secondsByWeekday
  }

  /// A plan of one week that shares its seconds among work days: each has the same, and each of the first ones, from
  /// Monday on, one second of the remainder.
  ///
  /// - Throws: `TimeclockError.invalidSchedule` if there is no work day or one is named twice, or for seconds below zero
  ///   or more than the days have.
  package init(weeklySeconds: Int64, workDays: [Weekday]) throws {
    let days = Set(workDays)
    let count = Int64(days.count)
    guard count > 0, days.count == workDays.count,
      (0...count * Self.bounds.upperBound).contains(weeklySeconds)
    else { throw TimeclockError.invalidSchedule }
    let (share, remainder) = weeklySeconds.quotientAndRemainder(dividingBy: count)
    var secondsByWeekday: [Int64] = []
    var shared: Int64 = 0
    for weekday in Weekday.allCases {
      let isWorkDay = days.contains(weekday)
      secondsByWeekday.append(isWorkDay ? share + (shared < remainder ? 1 : 0) : 0)
      if isWorkDay { shared += 1 }
    }
    self.secondsByWeekday = secondsByWeekday
  }

  /// The place of a date in `secondsByWeekday`, if the plan begins with the Monday of the week of `from`.
  func place(of date: LocalDate, from: LocalDate) -> Int {
    // 1900-01-01, at which dates stop, is a Monday.
    let monday = from.startOfWeek(beginning: .monday)
    return Int(date.daysSince1970 - monday.daysSince1970).flooredRemainder(by: secondsByWeekday.count)
  }

  /// The seconds planned for a date, if the plan begins with the Monday of the week of `from`.
  package func planned(on date: LocalDate, from: LocalDate) -> Int64 {
    secondsByWeekday[place(of: date, from: from)]
  }
}

extension TimeclockError {
  package static let invalidSchedule = TimeclockError.plain(
    PlainRefusal(
      "invalid_schedule", against: .rule,
      """
      A schedule has 0 to 86400 seconds for each day of 1 to \(WeekPlan.maximumWeeks) weeks, or weeklySeconds that its \
      workDays, each named once, have room for
      """))
}
