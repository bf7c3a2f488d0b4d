/// A walk through the plan of one schedule row and the holidays of its calendar.
struct PlannedDays {
  private let secondsByWeekday: [Int64]
  private var place: Int
  private let holidays: [Holidays.Holiday]
  private var holidayPlace: Int

  /// - Parameters:
  ///   - holidays: Those of the row's calendar.
  ///   - date: The first date of the walk, which the row is in force on.
  init(_ row: ScheduleRow, _ holidays: Holidays, from date: LocalDate) {
    secondsByWeekday = row.plan.secondsByWeekday
    place = row.plan.place(of: date, from: row.from)
    self.holidays = row.worksOnHolidays ? [] : holidays.all
    holidayPlace = row.worksOnHolidays ? 0 : holidays.place(from: date)
  }

  /// The plan of a date, and the percent of it that is free as a holiday. Each date is asked for once, in their order.
  mutating func next(on date: LocalDate) -> (seconds: Int64, holidayPercent: Int64) {
    let seconds = secondsByWeekday[place]
    place = place + 1 < secondsByWeekday.count ? place + 1 : 0
    guard holidayPlace < holidays.count, holidays[holidayPlace].date == date else { return (seconds, 0) }
    holidayPlace += 1
    return (seconds, holidays[holidayPlace - 1].percent)
  }
}
