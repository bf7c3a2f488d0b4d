import Testing
import TimeclockDomain

/// Values that the tests of schedules, absences and sums are written with.
enum PayrollSample {
  static func date(_ text: String) throws -> LocalDate {
    try #require(LocalDate(iso8601: text), "\(text)")
  }

  static func instant(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: text), "\(text)")
  }

  static func zone(_ name: String) throws -> Zone {
    try #require(SystemZones.zone(name), "\(name)")
  }

  /// The same seconds from Monday through Friday, and none at weekends.
  static func week(of seconds: Int64) throws -> WeekPlan {
    try WeekPlan(secondsByWeekday: [seconds, seconds, seconds, seconds, seconds, 0, 0])
  }

  /// A schedule in Berlin with the calendar 1.
  static func schedule(_ rows: (from: String, plan: WeekPlan)...) throws -> Schedule {
    let rows = try rows.map { ScheduleRow(from: try date($0.from), plan: $0.plan, calendar: 1) }
    return Schedule(rows: rows, organizationZone: try zone("Europe/Berlin"))
  }

  static func absence(
    _ kind: AbsenceKind, _ first: String, _ last: String? = nil, _ portion: AbsencePortion = .day,
    number: Int64 = 1, state: AbsenceState = .approved
  ) throws -> AbsenceRow {
    AbsenceRow(
      number: number, kind: kind, first: try date(first), last: try date(last ?? first), portion: portion,
      state: state)
  }
}

extension Sequence<BalanceDay> {
  /// The sums of all dates.
  var total: DaySums { reduce(into: DaySums()) { $0 += $1.sums } }
}
