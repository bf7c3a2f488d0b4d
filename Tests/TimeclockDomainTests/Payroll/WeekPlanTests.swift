import Testing
import TimeclockDomain

@Suite("Week plans")
struct WeekPlanTests {
  private static let weekdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

  /// Each case: the seconds of a week, its work days, and the seconds of each day from Monday on.
  @Test(
    "share the seconds of a week among its work days, the remainder among the first of them",
    arguments: [
      (138_600, weekdays, [27_720, 27_720, 27_720, 27_720, 27_720, 0, 0]),
      (100_001, [.monday, .wednesday, .friday], [33_334, 0, 33_334, 0, 33_333, 0, 0]),
      // In the order of the week, whatever the order in which they are named.
      (100_001, [.friday, .wednesday, .monday], [33_334, 0, 33_334, 0, 33_333, 0, 0]),
      (2, [.sunday, .thursday, .saturday], [0, 0, 0, 1, 0, 1, 0]),
      (0, [.sunday], [0, 0, 0, 0, 0, 0, 0]),
      (604_800, Weekday.allCases, [86_400, 86_400, 86_400, 86_400, 86_400, 86_400, 86_400]),
    ] as [(Int64, [Weekday], [Int64])])
  func share(_ seconds: Int64, _ workDays: [Weekday], _ expected: [Int64]) throws {
    let plan = try WeekPlan(weeklySeconds: seconds, workDays: workDays)
    #expect(plan.secondsByWeekday == expected)
  }

  @Test(
    "refuse seconds that the work days have no room for, and work days that are not there",
    arguments: [
      (604_801, Weekday.allCases), (86_401, [.monday]), (-1, [.monday]), (0, []), (1, []),
      (3_600, [.monday, .monday]), (.max, Weekday.allCases), (.min, [.monday]),
    ] as [(Int64, [Weekday])])
  func refusedShares(_ seconds: Int64, _ workDays: [Weekday]) {
    #expect(throws: TimeclockError.invalidSchedule) {
      try WeekPlan(weeklySeconds: seconds, workDays: workDays)
    }
  }

  @Test("take one week to eight, with 0 to 86400 seconds a day", arguments: 0...64)
  func days(_ count: Int) {
    let plan = try? WeekPlan(secondsByWeekday: Array(repeating: 86_400, count: count))
    #expect((plan != nil) == [7, 14, 21, 28, 35, 42, 49, 56].contains(count))
    for refused: Int64 in [-1, 86_401, .min, .max] where count > 0 {
      let seconds = Array(repeating: 0, count: count - 1) + [refused]
      #expect(throws: TimeclockError.invalidSchedule) { try WeekPlan(secondsByWeekday: seconds) }
    }
  }

  @Test("that cannot be are refused by the rule, with the code for it")
  func refusal() {
    #expect(TimeclockError.invalidSchedule.code == "invalid_schedule")
  }

  /// Each case: the first date of a row of two weeks, 1 to 14 from Monday on, a date, and its seconds.
  @Test(
    "repeat from the Monday of the week in which they begin",
    arguments: [
      ("2026-10-15", "2026-10-12", 1), ("2026-10-15", "2026-10-15", 4), ("2026-10-15", "2026-10-19", 8),
      ("2026-10-15", "2026-10-25", 14), ("2026-10-15", "2026-10-26", 1), ("2026-10-18", "2026-10-19", 8),
      ("2026-10-19", "2026-10-19", 1), ("2026-10-15", "2026-10-11", 14), ("2026-12-31", "2027-01-01", 5),
      ("1900-01-01", "1900-01-01", 1), ("9999-12-31", "9999-12-31", 5),
    ] as [(String, String, Int64)])
  func repeats(_ from: String, _ date: String, _ expected: Int64) throws {
    let plan = try WeekPlan(secondsByWeekday: Array(1...14))
    let row = ScheduleRow(from: try PayrollSample.date(from), plan: plan)
    #expect(row.planned(on: try PayrollSample.date(date)) == expected)
  }

  @Test(
    "begin their days at a time on the clock, to the minute",
    arguments: [
      ("00:00", 0), ("06:30", 23_400), ("23:59", 86_340), ("24:00", nil), ("12:60", nil), ("6:30", nil),
      ("06:3", nil), ("06:30:00", nil), ("0630", nil), ("", nil), ("06:30 ", nil), ("-1:00", nil),
      ("٠٦:٣٠", nil),
    ] as [(String, Int64?)])
  func times(_ text: String, _ seconds: Int64?) {
    let time = TimeOfDay(text)
    #expect(time?.seconds == seconds)
    #expect(time == nil || time?.text == text)
  }
}
