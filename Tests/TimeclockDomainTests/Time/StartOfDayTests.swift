import Foundation
import Testing
import TimeclockDomain

@Suite("Starts of days")
struct StartOfDayTests {
  private func date(_ text: String) throws -> LocalDate {
    try #require(LocalDate(iso8601: text))
  }

  /// Each case: a zone, a date, and its first instant.
  @Test(
    "a date starts with its first instant",
    arguments: [
      ("UTC", "2026-11-20", "2026-11-20T00:00:00.000Z"),
      ("Europe/Berlin", "2026-11-20", "2026-11-19T23:00:00.000Z"),
      ("Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00.000Z"),
      ("America/St_Johns", "2026-11-20", "2026-11-20T03:30:00.000Z"),
      ("America/St_Johns", "2026-07-20", "2026-07-20T02:30:00.000Z"),
      ("Pacific/Kiritimati", "2026-11-20", "2026-11-19T10:00:00.000Z"),
      // Midnight is skipped: the date starts at 01:00, or at 00:30.
      ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"),
      ("Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z"),
      ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"),
      ("America/Havana", "2026-03-08", "2026-03-08T05:00:00.000Z"),
      // Clocks go back from midnight to 23:00: the date before lasts on, and this one starts when it stays.
      ("America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00.000Z"),
      ("Asia/Beirut", "2026-10-25", "2026-10-24T22:00:00.000Z"),
      // Clocks go back from 01:00 to midnight: the first of the two midnights.
      ("America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"),
      ("Atlantic/Azores", "2026-10-25", "2026-10-25T00:00:00.000Z"),
      // Clocks go back from 00:01 to 23:01: the date starts when it is first shown, for a minute.
      ("America/St_Johns", "2010-11-07", "2010-11-07T02:30:00.000Z"),
      // A whole date is skipped at the date line, or repeated.
      ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00.000Z"),
      ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"),
      ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000Z"),
      ("Pacific/Kwajalein", "1993-08-21", "1993-08-21T12:00:00.000Z"),
      ("Pacific/Kwajalein", "1993-08-22", "1993-08-21T12:00:00.000Z"),
      // The ends of the calendar.
      ("Pacific/Kiritimati", "9999-12-31", "9999-12-30T10:00:00.000Z"),
      ("Etc/GMT+12", "9999-12-31", "9999-12-31T12:00:00.000Z"),
      ("Etc/GMT+12", "1900-01-01", "1900-01-01T12:00:00.000Z"),
    ])
  func startsWithItsFirstInstant(_ name: String, _ day: String, _ expected: String) throws {
    let zone = try #require(SystemZones.zone(name))
    #expect(LocalDate(iso8601: day).map { zone.startOfDay($0).rfc3339 } == expected)
  }

  @Test(
    "a date lasts from its start to the next one's",
    arguments: [
      ("Europe/Berlin", "2026-03-28", 24 * 60), ("Europe/Berlin", "2026-03-29", 23 * 60),
      ("Europe/Berlin", "2026-10-25", 25 * 60), ("America/New_York", "2026-03-08", 23 * 60),
      ("America/New_York", "2026-11-01", 25 * 60), ("Australia/Lord_Howe", "2026-04-05", 24 * 60 + 30),
      ("Australia/Lord_Howe", "2026-10-04", 23 * 60 + 30), ("Africa/Casablanca", "2026-02-15", 25 * 60),
      ("Africa/Casablanca", "2026-03-22", 23 * 60), ("America/Sao_Paulo", "2018-11-04", 23 * 60),
      ("America/Sao_Paulo", "2018-02-17", 25 * 60), ("Asia/Beirut", "2026-03-29", 23 * 60),
      ("Asia/Beirut", "2026-10-24", 25 * 60), ("Asia/Kathmandu", "1986-01-01", 23 * 60 + 45),
      ("Antarctica/Troll", "2026-03-29", 22 * 60), ("Antarctica/Troll", "2026-10-25", 26 * 60),
      ("Pacific/Apia", "2011-12-29", 24 * 60), ("Pacific/Apia", "2011-12-30", 0),
      ("Pacific/Apia", "2011-12-31", 24 * 60), ("Asia/Pyongyang", "2015-08-14", 24 * 60 + 30),
      ("Asia/Pyongyang", "2018-05-04", 23 * 60 + 30), ("America/Caracas", "2016-05-01", 23 * 60 + 30),
      ("America/St_Johns", "1988-04-03", 22 * 60), ("America/St_Johns", "1988-10-30", 26 * 60),
    ])
  func lasts(_ name: String, _ day: String, _ minutes: Int) throws {
    let zone = try #require(SystemZones.zone(name))
    let first = try date(day)
    let length = zone.startOfDay(first.adding(days: 1)).milliseconds(since: zone.startOfDay(first))
    #expect(length == Int64(minutes) * 60_000)
  }

  /// Each case: a zone, an instant, and the date on the wall.
  @Test(
    "an instant has the date of its place",
    arguments: [
      ("Asia/Kathmandu", "2026-11-20T23:30:00Z", "2026-11-21"),
      ("Asia/Kathmandu", "2026-11-20T18:14:59.999Z", "2026-11-20"),
      ("Asia/Kathmandu", "2026-11-20T18:15:00Z", "2026-11-21"),
      ("America/St_Johns", "2026-11-20T23:30:00Z", "2026-11-20"),
      ("America/St_Johns", "2026-11-20T03:29:59.999Z", "2026-11-19"),
      ("America/St_Johns", "2026-07-20T02:30:00Z", "2026-07-20"),
      ("Pacific/Apia", "2026-11-20T23:30:00Z", "2026-11-21"),
      ("Pacific/Apia", "2011-12-30T09:59:59.999Z", "2011-12-29"),
      ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"),
      ("Pacific/Pago_Pago", "2026-11-20T23:30:00Z", "2026-11-20"),
      ("Pacific/Kiritimati", "2026-11-20T10:00:00Z", "2026-11-21"),
      ("UTC", "1969-12-31T23:59:59.999Z", "1969-12-31"),
      // Beyond the calendar's ends its last and its first date stand.
      ("Pacific/Kiritimati", "9999-12-31T23:00:00Z", "9999-12-31"),
      ("Etc/GMT+12", "1900-01-01T00:00:00Z", "1900-01-01"),
    ])
  func hasTheDateOfItsPlace(_ name: String, _ text: String, _ expected: String) throws {
    let zone = try #require(SystemZones.zone(name))
    let instant = try #require(Instant(rfc3339: text))
    #expect(zone.localDate(at: instant).iso8601 == expected)
  }

  @Test("in every zone, the first instant of a date has it and the millisecond before has not")
  func isTheFirstInstant() {
    // Around a change of the offset every date is looked at, and else one in 13, for they are all alike.
    let isExhaustive = ProcessInfo.processInfo.environment["TIMECLOCK_EXHAUSTIVE_TESTS"] == "1"
    var lengths: Set<Int64> = []
    for zone in SystemZones.distinctZones {
      for date in datesToLookAt(in: zone, step: isExhaustive ? 1 : 13) {
        let start = zone.startOfDay(date)
        let before = zone.localDate(at: start.adding(milliseconds: -1))
        if zone.localDate(at: start) < date || before >= date {
          Issue.record("\(zone.identifier.name) \(date.iso8601) starts at \(start.rfc3339)")
        }
        lengths.insert(zone.startOfDay(date.adding(days: 1)).milliseconds(since: start) / 60_000)
      }
    }
    let usualLengths: [Int64] = [0, 1380, 1410, 1440, 1470, 1500]
    #expect(lengths.isSuperset(of: usualLengths))
    #expect(lengths.allSatisfy { $0 >= 0 && $0 <= 48 * 60 })
  }

  private func datesToLookAt(in zone: Zone, step: Int) -> [LocalDate] {
    var dates: [LocalDate] = []
    let last = LocalDate(daysSince1970: 25_932)
    var date = LocalDate(daysSince1970: 0)
    while date < last {
      let next = date.adding(days: step)
      let isSteady = utcOffset(of: zone, on: date) == utcOffset(of: zone, on: next)
      dates += isSteady ? [date] : (-1...step).map { date.adding(days: $0) }
      date = next
    }
    return dates
  }

  private func utcOffset(of zone: Zone, on date: LocalDate) -> Int32 {
    zone.offsetSeconds(at: Instant(millisecondsSince1970: Int64(date.daysSince1970) * 86_400_000))
  }

  @Test(
    "looking at every minute finds the same start",
    arguments: [
      "Europe/Berlin", "America/New_York", "America/St_Johns", "America/Sao_Paulo", "Asia/Beirut",
      "Africa/Casablanca", "Africa/Cairo", "Australia/Lord_Howe", "Asia/Gaza", "America/Nuuk", "Asia/Amman",
      "America/Havana", "Atlantic/Azores", "Antarctica/Troll", "Asia/Kathmandu", "Asia/Tehran",
    ])
  func agreesWithEveryMinute(_ name: String) throws {
    let zone = try #require(SystemZones.zone(name))
    for date in datesToLookAt(in: zone, step: 13) where date.daysSince1970 % 3 == 0 {
      let start = zone.startOfDay(date)
      if firstMinute(of: date, in: zone) != start { Issue.record("\(date.iso8601): \(start.rfc3339)") }
    }
  }

  /// Scans from three hours before the clock of the day before says midnight. All these zones kept whole
  /// minutes from 1973 on, and none crossed the date line.
  private func firstMinute(of date: LocalDate, in zone: Zone) -> Instant? {
    let offset = Int64(utcOffset(of: zone, on: date.adding(days: -1)))
    let midnight = (Int64(date.daysSince1970) * 86_400 - offset) * 1000
    return (-180...180).lazy.map { Instant(millisecondsSince1970: midnight + $0 * 60_000) }
      .first { zone.localDate(at: $0) >= date }
  }
}
