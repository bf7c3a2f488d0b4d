import Testing
import TimeclockDomain

@Suite("Dates that time counts for")
struct CountingDateTests {
  private func schedule(_ zone: String, _ start: String) throws -> Schedule {
    let start = try #require(TimeOfDay(start))
    let row = ScheduleRow(from: .earliest, plan: try PayrollSample.week(of: 28_800), workdayStart: start)
    return Schedule(rows: [row], organizationZone: try PayrollSample.zone(zone))
  }

  /// Each case: a zone, the start of its dates, a date, its first instant, and the minutes that it lasts.
  @Test(
    "begin when the clock first shows their start or a later time",
    arguments: [
      ("Europe/Berlin", "00:00", "2026-11-20", "2026-11-19T23:00:00.000Z", 1440),
      ("Europe/Berlin", "06:00", "2026-11-20", "2026-11-20T05:00:00.000Z", 1440),
      ("Europe/Berlin", "23:59", "2026-11-20", "2026-11-20T22:59:00.000Z", 1440),
      // Clocks skip 02:00 to 03:00.
      ("Europe/Berlin", "06:00", "2026-03-28", "2026-03-28T05:00:00.000Z", 1380),
      ("Europe/Berlin", "06:00", "2026-03-29", "2026-03-29T04:00:00.000Z", 1440),
      ("Europe/Berlin", "01:59", "2026-03-29", "2026-03-29T00:59:00.000Z", 1380),
      ("Europe/Berlin", "02:00", "2026-03-29", "2026-03-29T01:00:00.000Z", 1380),
      ("Europe/Berlin", "02:30", "2026-03-29", "2026-03-29T01:00:00.000Z", 1410),
      ("Europe/Berlin", "03:00", "2026-03-29", "2026-03-29T01:00:00.000Z", 1440),
      ("Europe/Berlin", "02:30", "2026-03-28", "2026-03-28T01:30:00.000Z", 1410),
      // Clocks show 02:00 to 03:00 twice.
      ("Europe/Berlin", "06:00", "2026-10-24", "2026-10-24T04:00:00.000Z", 1500),
      ("Europe/Berlin", "02:00", "2026-10-25", "2026-10-25T00:00:00.000Z", 1500),
      ("Europe/Berlin", "02:30", "2026-10-25", "2026-10-25T00:30:00.000Z", 1500),
      ("Europe/Berlin", "02:59", "2026-10-25", "2026-10-25T00:59:00.000Z", 1500),
      ("Europe/Berlin", "03:00", "2026-10-25", "2026-10-25T02:00:00.000Z", 1440),
      ("Europe/Berlin", "03:00", "2026-10-24", "2026-10-24T01:00:00.000Z", 1500),
      // Half an hour is skipped, or comes twice.
      ("Australia/Lord_Howe", "02:15", "2026-10-04", "2026-10-03T15:30:00.000Z", 1425),
      ("Australia/Lord_Howe", "02:30", "2026-10-04", "2026-10-03T15:30:00.000Z", 1440),
      ("Australia/Lord_Howe", "01:45", "2026-04-05", "2026-04-04T14:45:00.000Z", 1470),
      ("Australia/Lord_Howe", "02:00", "2026-04-05", "2026-04-04T15:30:00.000Z", 1440),
      ("Australia/Lord_Howe", "00:00", "2026-04-05", "2026-04-04T13:00:00.000Z", 1470),
      // Midnight is skipped, or is shown for a minute before the date before comes back.
      ("America/Sao_Paulo", "00:30", "2018-11-04", "2018-11-04T03:00:00.000Z", 1410),
      ("America/St_Johns", "00:00", "2010-11-07", "2010-11-07T02:30:00.000Z", 1500),
      ("America/St_Johns", "00:01", "2010-11-07", "2010-11-07T03:31:00.000Z", 1440),
      ("America/St_Johns", "23:30", "2010-11-06", "2010-11-07T02:00:00.000Z", 1500),
      // The date line: clocks go from the end of the 29th to the beginning of the 31st. Dates that begin at 06:00 have
      // the first six hours of that day between them.
      ("Pacific/Apia", "00:00", "2011-12-29", "2011-12-29T10:00:00.000Z", 1440),
      ("Pacific/Apia", "00:00", "2011-12-30", "2011-12-30T10:00:00.000Z", 0),
      ("Pacific/Apia", "00:00", "2011-12-31", "2011-12-30T10:00:00.000Z", 1440),
      ("Pacific/Apia", "06:00", "2011-12-29", "2011-12-29T16:00:00.000Z", 1080),
      ("Pacific/Apia", "06:00", "2011-12-30", "2011-12-30T10:00:00.000Z", 360),
      ("Pacific/Apia", "06:00", "2011-12-31", "2011-12-30T16:00:00.000Z", 1440),
      // The ends of the calendar.
      ("Etc/GMT+12", "06:00", "9999-12-31", "9999-12-31T18:00:00.000Z", 1440),
      ("Pacific/Kiritimati", "00:00", "1900-01-01", "1900-01-01T10:29:20.000Z", 1440),
    ] as [(String, String, String, String, Int64)])
  func begin(_ zone: String, _ start: String, _ day: String, _ expected: String, _ minutes: Int64) throws {
    let schedule = try schedule(zone, start)
    let date = try PayrollSample.date(day)
    #expect(schedule.dayStart(date).rfc3339 == expected)
    #expect(schedule.dayEnd(date).milliseconds(since: schedule.dayStart(date)) == minutes * 60_000)
  }

  /// Each case: the zone and the start of dates, an instant, and its date.
  @Test(
    "hold the instants from their beginning to the next one's",
    arguments: [
      ("Europe/Berlin", "06:00", "2026-11-20T04:59:59.999Z", "2026-11-19"),
      ("Europe/Berlin", "06:00", "2026-11-20T05:00:00Z", "2026-11-20"),
      ("Europe/Berlin", "02:30", "2026-03-29T00:59:59.999Z", "2026-03-28"),
      ("Europe/Berlin", "02:30", "2026-03-29T01:00:00Z", "2026-03-29"),
      // The clock goes back before the start again, and the date stays.
      ("Europe/Berlin", "02:30", "2026-10-25T00:29:59.999Z", "2026-10-24"),
      ("Europe/Berlin", "02:30", "2026-10-25T01:15:00Z", "2026-10-25"),
      ("America/St_Johns", "00:00", "2010-11-07T02:45:00Z", "2010-11-07"),
      ("Pacific/Apia", "00:00", "2011-12-30T09:59:59.999Z", "2011-12-29"),
      ("Pacific/Apia", "00:00", "2011-12-30T10:00:00Z", "2011-12-31"),
      ("Pacific/Apia", "06:00", "2011-12-30T10:00:00Z", "2011-12-30"),
      ("Pacific/Apia", "06:00", "2011-12-30T15:59:59.999Z", "2011-12-30"),
      ("Pacific/Apia", "06:00", "2011-12-30T16:00:00Z", "2011-12-31"),
      ("Pacific/Kiritimati", "00:00", "2026-11-20T10:00:00Z", "2026-11-21"),
      ("Etc/GMT+12", "23:59", "2026-11-22T11:58:59.999Z", "2026-11-20"),
      // Beyond the calendar's ends its last and its first date stand.
      ("Pacific/Kiritimati", "00:00", "9999-12-31T23:00:00Z", "9999-12-31"),
      ("Etc/GMT+12", "06:00", "1900-01-01T00:00:00Z", "1900-01-01"),
    ])
  func hold(_ zone: String, _ start: String, _ text: String, _ expected: String) throws {
    let schedule = try schedule(zone, start)
    #expect(schedule.date(of: try PayrollSample.instant(text)).iso8601 == expected)
  }

  /// In Berlin; from 2026-10-15 on in New York, where dates begin at 06:00 from 2026-11-01 on; back in Berlin from
  /// 2026-11-10 on.
  @Test("take the clock of the row that is in force")
  func rows() throws {
    let plan = try PayrollSample.week(of: 28_800)
    let newYork = try PayrollSample.zone("America/New_York")
    let schedule = Schedule(
      rows: [
        ScheduleRow(from: try PayrollSample.date("2026-10-15"), plan: plan, zone: newYork),
        ScheduleRow(
          from: try PayrollSample.date("2026-11-01"), plan: plan, zone: newYork,
          workdayStart: TimeOfDay("06:00")),
        ScheduleRow(from: try PayrollSample.date("2026-11-10"), plan: plan),
      ], organizationZone: try PayrollSample.zone("Europe/Berlin"))
    try schedule.validate()
    let starts = [
      ("2026-10-14", "2026-10-13T22:00:00.000Z"), ("2026-10-15", "2026-10-15T04:00:00.000Z"),
      ("2026-10-31", "2026-10-31T04:00:00.000Z"), ("2026-11-01", "2026-11-01T11:00:00.000Z"),
      ("2026-11-09", "2026-11-09T11:00:00.000Z"), ("2026-11-10", "2026-11-09T23:00:00.000Z"),
      ("2026-11-11", "2026-11-10T23:00:00.000Z"),
    ]
    for (date, start) in starts {
      #expect(schedule.dayStart(try PayrollSample.date(date)).rfc3339 == start)
    }
    #expect(schedule.date(of: try PayrollSample.instant("2026-10-15T03:59:59.999Z")).iso8601 == "2026-10-14")
    #expect(schedule.date(of: try PayrollSample.instant("2026-11-09T23:00:00Z")).iso8601 == "2026-11-10")
    let stretches = schedule.dayStretches(
      from: try PayrollSample.date("2026-10-14"), through: try PayrollSample.date("2026-11-10"))
    #expect(
      stretches.map { $0.end.milliseconds(since: $0.start) / 3_600_000 }.filter { $0 != 24 } == [30, 31, 12])
  }

  @Test(
    "are over for certain five minutes after their end",
    arguments: [
      ("Europe/Berlin", "00:00", "2026-11-20T23:04:59.999Z", "2026-11-19"),
      ("Europe/Berlin", "00:00", "2026-11-20T23:05:00Z", "2026-11-20"),
      ("Europe/Berlin", "06:00", "2026-11-21T05:04:59.999Z", "2026-11-19"),
      ("Europe/Berlin", "06:00", "2026-11-21T05:05:00Z", "2026-11-20"),
      // The date that was skipped is over with the one before it.
      ("Pacific/Apia", "00:00", "2011-12-30T10:04:59.999Z", "2011-12-28"),
      ("Pacific/Apia", "00:00", "2011-12-30T10:05:00Z", "2011-12-30"),
    ])
  func areOver(_ zone: String, _ start: String, _ now: String, _ expected: String) throws {
    let schedule = try schedule(zone, start)
    #expect(schedule.lastCountedDate(at: try PayrollSample.instant(now)).iso8601 == expected)
  }

  @Test("have no stretch if they last no time, and none in an empty range")
  func stretches() throws {
    let schedule = try schedule("Pacific/Apia", "00:00")
    let (first, last) = (try PayrollSample.date("2011-12-29"), try PayrollSample.date("2011-12-31"))
    let stretches = schedule.dayStretches(from: first, through: last)
    #expect(stretches.map(\.date) == [first, last])
    #expect(schedule.dayStretches(from: last, through: first).isEmpty)
  }
}
