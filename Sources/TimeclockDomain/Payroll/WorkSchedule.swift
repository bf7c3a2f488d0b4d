/// The public id of a work schedule.
package typealias WorkScheduleID = Identifier<WorkSchedule>

/// The work that a member owes from one date on, until the next schedule's: the record of which a `ScheduleRow` is made.
package struct WorkSchedule: ShapedRecord {
  package var head: Head<WorkSchedule>
  /// The member; none only before the record is filled.
  package var userID: UserID?
  /// The first date; a member has one schedule from it.
  package var from = LocalDate.earliest
  /// The seconds of the days of one to eight weeks, which repeat from the Monday of the week of `from`.
  package var secondsByWeekday: [Int64] = []
  package var holidayCalendarID: HolidayCalendarID?
  package var worksOnHolidays = false
  /// The zone whose clock begins and ends dates; nil for the organization's.
  package var timeZone: String?
  /// The time at which each date begins.
  package var workdayStart = TimeOfDay.midnight.text

  package init(head: Head<WorkSchedule>) {
    self.head = head
  }

  package static let shape = Shape<WorkSchedule>(
    .workSchedule, list: "workSchedules", owner: .member(\.userID),
    fields: [
      .date("from", \.from, column: "from_date"),
      .numbers("secondsByWeekday", \.secondsByWeekday) {
        try WeekPlan(secondsByWeekday: $0).secondsByWeekday
      },
      .reference("holidayCalendarId", \.holidayCalendarID),
      .flag("worksOnHolidays", \.worksOnHolidays, onCreate: .optional),
      .optionalText("timeZone", \.timeZone, rule: zone),
      .text("workdayStart", \.workdayStart, onCreate: .optional, rule: start),
    ])

  package static let limit = RecordLimit(100, orThrow: .tooManyWorkSchedules)

  private static func zone(_ name: String) throws -> String {
    guard TimeZoneIdentifier(name) != nil else { throw TimeclockError.unknownTimeZone }
    return name
  }

  private static func start(_ text: String) throws -> String {
    guard let time = TimeOfDay(text) else { throw TimeclockError.invalidWorkdayStart }
    return time.text
  }
}

extension WorkSchedule {
  /// The row of the member's schedule.
  ///
  /// - Parameters:
  ///   - calendar: The number of the holiday calendar's row.
  ///   - zones: The zones that the system has.
  /// - Throws: `.unknownTimeZone` for a zone that it has not, `.invalidSchedule`.
  package func row(calendar: Int64?, zones: TimeZoneDatabase) throws -> ScheduleRow {
    let zone = try timeZone.map { name in
      guard let zone = TimeZoneIdentifier(name).flatMap(zones.zone) else {
        throw TimeclockError.unknownTimeZone
      }
      return zone
    }
    return ScheduleRow(
      from: from, plan: try WeekPlan(secondsByWeekday: secondsByWeekday), calendar: calendar,
      worksOnHolidays: worksOnHolidays, zone: zone, workdayStart: TimeOfDay(workdayStart))
  }
}

extension TimeclockError {
  package static let invalidWorkdayStart = TimeclockError.plain(
    PlainRefusal("invalid_schedule", against: .rule, "workdayStart is a time from 00:00 to 23:59"))

  package static let scheduleExists = TimeclockError.plain(
    PlainRefusal(
      "schedule_exists", against: .state,
      "The member has a schedule from this date already. Change that one, or delete it first."))

  package static let tooManyWorkSchedules = TimeclockError.plain(
    PlainRefusal("too_many_work_schedules", against: .state, "A member has at most 100 work schedules."))

  package static let holidayCalendarInUse = TimeclockError.plain(
    PlainRefusal(
      "holiday_calendar_in_use", against: .state,
      "Work schedules name the holiday calendar. Give them another or none first."))

  /// The holiday calendar that a body names is none.
  package static let holidayCalendarNotFound = TimeclockError.plain(
    PlainRefusal("holiday_calendar_not_found", against: .rule, "There is no such holiday calendar."))
}
