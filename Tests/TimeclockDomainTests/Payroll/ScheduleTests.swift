import Testing
import TimeclockDomain

@Suite("Schedules")
struct ScheduleTests {
  @Test(
    "have the row with the latest first date in force",
    arguments: [
      ("2026-09-30", nil), ("2026-10-01", "2026-10-01"), ("2026-10-14", "2026-10-01"),
      ("2026-10-15", "2026-10-15"), ("2026-12-31", "2026-10-15"), ("2027-01-01", "2027-01-01"),
      ("9999-12-31", "2027-01-01"), ("1900-01-01", nil),
    ] as [(String, String?)])
  func rows(_ date: String, _ from: String?) throws {
    let plan = try PayrollSample.week(of: 28_800)
    let schedule = try PayrollSample.schedule(
      ("2027-01-01", plan), ("2026-10-01", plan), ("2026-10-15", plan))
    #expect(schedule.row(on: try PayrollSample.date(date))?.from.iso8601 == from)
  }

  @Test("without a row have none in force")
  func none() throws {
    let schedule = try PayrollSample.schedule()
    #expect(schedule.row(on: .latest) == nil)
    try schedule.validate()
  }

  /// Each case: the zone and the start of 2026-10-14 and before, those from 2026-10-15 on, and the hours of the 14th; nil
  /// if it would end before it begins.
  @Test(
    "may change the clock that dates begin by, but never so that a date begins before the one before it",
    arguments: [
      ("Europe/Berlin", "00:00", "Europe/Berlin", "00:00", 24),
      ("Europe/Berlin", "00:00", "America/New_York", "00:00", 30),
      ("America/New_York", "00:00", "Europe/Berlin", "00:00", 18),
      ("Europe/Berlin", "00:00", "Europe/Berlin", "06:00", 30),
      ("Europe/Berlin", "06:00", "Europe/Berlin", "00:00", 18),
      ("Europe/Berlin", "23:00", "Europe/Berlin", "00:00", 1),
      ("America/New_York", "18:00", "Europe/Berlin", "00:00", 0),
      ("America/New_York", "18:01", "Europe/Berlin", "00:00", nil),
      ("America/New_York", "18:01", "Europe/Berlin", "00:01", 0),
      ("Pacific/Kiritimati", "00:00", "Pacific/Honolulu", "00:00", 48),
      ("Pacific/Honolulu", "00:00", "Pacific/Kiritimati", "00:00", 0),
      ("Pacific/Honolulu", "00:01", "Pacific/Kiritimati", "00:00", nil),
      ("Pacific/Pago_Pago", "00:00", "Pacific/Kiritimati", "00:00", nil),
      ("Pacific/Pago_Pago", "00:00", "Pacific/Kiritimati", "01:00", 0),
      ("Pacific/Pago_Pago", "23:59", "Pacific/Kiritimati", "00:00", nil),
    ] as [(String, String, String, String, Int64?)])
  func clocks(_ zone: String, _ start: String, _ newZone: String, _ newStart: String, _ hours: Int64?) throws
  {
    let plan = try PayrollSample.week(of: 28_800)
    let clocks = [("2026-10-01", zone, start), ("2026-10-15", newZone, newStart)]
    let rows = try clocks.map { from, zone, start in
      let start = try #require(TimeOfDay(start))
      return ScheduleRow(
        from: try PayrollSample.date(from), plan: plan, zone: try PayrollSample.zone(zone),
        workdayStart: start)
    }
    // The first row is not what is refused.
    let schedule = Schedule(rows: rows, organizationZone: try PayrollSample.zone(zone))
    let last = try PayrollSample.date("2026-10-14")
    let length = schedule.dayEnd(last).milliseconds(since: schedule.dayStart(last))
    if let hours {
      try schedule.validate()
      #expect(length == hours * 3_600_000)
    } else {
      #expect(throws: TimeclockError.scheduleTurnsBack) { try schedule.validate() }
      #expect(length == 0)
    }
  }

  @Test("are refused if the first row would begin before the date before it in the organization's zone")
  func firstRow() throws {
    let row = ScheduleRow(
      from: try PayrollSample.date("2026-10-15"), plan: try PayrollSample.week(of: 0),
      zone: try PayrollSample.zone("Pacific/Kiritimati"))
    let honolulu = Schedule(rows: [row], organizationZone: try PayrollSample.zone("Pacific/Honolulu"))
    try honolulu.validate()
    let pagoPago = Schedule(rows: [row], organizationZone: try PayrollSample.zone("Pacific/Pago_Pago"))
    #expect(throws: TimeclockError.scheduleTurnsBack) { try pagoPago.validate() }
    #expect(TimeclockError.scheduleTurnsBack.code == "invalid_schedule")
  }
}
