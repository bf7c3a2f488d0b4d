/// A member's schedule from one date on, until the next row's.
package struct ScheduleRow: Sendable {
  /// The first date of the row.
  package var from: LocalDate
  /// Repeats from the Monday of the week of `from`.
  package var plan: WeekPlan
  /// The storage's row of the calendar whose holidays count; nil for no holidays.
  package var calendar: Int64?
  /// Whether the plan stays as it is on holidays.
  package var worksOnHolidays: Bool
  /// The zone whose clocks begin and end dates; nil for the organization's.
  package var zone: Zone?
  /// The time on the clock at which each date begins; nil for midnight.
  package var workdayStart: TimeOfDay?
  /// The name of the set of pay rules; nil for the set without a name.
  package var payRuleSet: String?

  package init(
    from: LocalDate, plan: WeekPlan, calendar: Int64? = nil, worksOnHolidays: Bool = false,
    zone: Zone? = nil, workdayStart: TimeOfDay? = nil, payRuleSet: String? = nil
  ) {
    self.from = from
    self.plan = plan
    self.calendar = calendar
    self.worksOnHolidays = worksOnHolidays
    self.zone = zone
    self.workdayStart = workdayStart
    self.payRuleSet = payRuleSet
  }

  /// The seconds planned for a date of the row, holidays and absences included.
  package func planned(on date: LocalDate) -> Int64 {
    plan.planned(on: date, from: from)
  }
}
