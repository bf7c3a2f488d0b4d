import Testing
import TimeclockDomain

@Suite("Properties of dates that time counts for")
struct CountingDatePropertyTests {
  /// A random schedule, and its rows by date.
  private struct Sample {
    var random: SeededRandom
    var schedule: Schedule
    var organizationZone: Zone

    init(seed: UInt64) throws {
      var random = SeededRandom(seed: seed)
      let zones = SystemZones.distinctZones
      let plan = try PayrollSample.week(of: 28_800)
      organizationZone = try #require(zones.randomElement(using: &random))
      // Some dates follow each other, and some rows are about the date line in Samoa.
      let days = Set(
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          Int32.random(in: Bool.random(using: &random) ? 15_330...15_345 : 12_000...24_000, using: &random)
        })
      // In order: a set's own order differs from run to run, and with it the row that each random value falls to.
      let rows = days.sorted().map { day in
        let isInApia = Int.random(in: 0..<4, using: &random) == 0
        let zone = isInApia ? SystemZones.zone("Pacific/Apia") : zones.randomElement(using: &random)
        let minute = Int.random(in: 0..<1440, using: &random)
        let text = "\(minute / 600)\(minute / 60 % 10):\(minute % 60 / 10)\(minute % 10)"
        return ScheduleRow(
          from: LocalDate(daysSince1970: day), plan: plan, zone: Bool.random(using: &random) ? zone : nil,
          workdayStart: Bool.random(using: &random) ? TimeOfDay(text) : nil)
      }
      schedule = Schedule(rows: rows, organizationZone: organizationZone)
      self.random = random
    }

    /// Dates around the first ones of rows, and around others.
    mutating func dates() -> [LocalDate] {
      let around = schedule.rows.map(\.from)
      let others = (0..<3).map { _ in LocalDate(daysSince1970: .random(in: 12_000...24_000, using: &random)) }
      return (around + others).flatMap { date in (-2...2).map { date.adding(days: $0) } }
    }

    /// The beginning of a date by its own row, found by looking at the clock.
    func start(_ date: LocalDate) -> Instant? {
      let row = schedule.rows.last { $0.from <= date }
      let start = row?.workdayStart?.seconds ?? 0
      return WallScan.firstMinute(of: date, at: start, in: row?.zone ?? organizationZone)
    }
  }

  @Test("they tile the time line, whatever the rows are", arguments: 0..<60 as Range<UInt64>)
  func tile(_ seed: UInt64) throws {
    var sample = try Sample(seed: seed)
    let schedule = sample.schedule
    for date in sample.dates() {
      let (start, end) = (schedule.dayStart(date), schedule.dayEnd(date))
      #expect(start <= end && end == schedule.dayStart(date.adding(days: 1)))
      let instant = start.adding(milliseconds: .random(in: -90_000_000...90_000_000, using: &sample.random))
      for instant in [start, end.adding(milliseconds: -1), instant] {
        let found = schedule.date(of: instant)
        #expect(schedule.dayStart(found) <= instant && instant < schedule.dayEnd(found))
      }
    }
  }

  @Test(
    "their stretches are without gaps and have the dates of their instants",
    arguments: 0..<30 as Range<UInt64>)
  func stretches(_ seed: UInt64) throws {
    let schedule = try Sample(seed: seed).schedule
    let first = schedule.rows.first?.from.adding(days: -3) ?? LocalDate(daysSince1970: 15_330)
    let last = first.adding(days: 400)
    let stretches = schedule.dayStretches(from: first, through: last)
    #expect(
      stretches.first?.start == schedule.dayStart(first) && stretches.last?.end == schedule.dayEnd(last))
    for (one, next) in zip(stretches, stretches.dropFirst()) {
      #expect(one.end == next.start && one.start < one.end && one.date < next.date)
    }
    for stretch in stretches {
      #expect(schedule.date(of: stretch.start) == stretch.date)
      #expect(schedule.date(of: stretch.end.adding(milliseconds: -1)) == stretch.date)
    }
  }

  @Test(
    "a schedule that may be stored begins each date by its own row, and is refused if one would begin before another",
    arguments: 0..<40 as Range<UInt64>)
  func ownRow(_ seed: UInt64) throws {
    var sample = try Sample(seed: seed)
    let isValid = (try? sample.schedule.validate()) != nil
    var turnsBack = false
    for date in sample.dates() {
      let start = try #require(sample.start(date))
      let next = try #require(sample.start(date.adding(days: 1)))
      if next < start { turnsBack = true }
      if isValid { #expect(sample.schedule.dayStart(date) == start) }
    }
    #expect(turnsBack == !isValid)
  }

  @Test("random schedules are of both kinds, those that may be stored and those that are refused")
  func areOfBothKinds() throws {
    let refused = try (0..<40 as Range<UInt64>).filter { seed in
      let schedule = try Sample(seed: seed).schedule
      return (try? schedule.validate()) == nil
    }
    #expect((4...30).contains(refused.count), "\(refused.count)")
  }

  @Test(
    "looking at every minute of the clock finds the same beginning",
    arguments: [
      "Europe/Berlin", "America/New_York", "America/St_Johns", "America/Sao_Paulo", "Asia/Beirut",
      "Africa/Casablanca", "Africa/Cairo", "Australia/Lord_Howe", "Asia/Gaza", "America/Nuuk",
      "America/Havana",
      "Atlantic/Azores", "Antarctica/Troll", "Asia/Kathmandu", "Asia/Pyongyang", "Pacific/Apia",
    ])
  func agreesWithEveryMinute(_ name: String) throws {
    let zone = try PayrollSample.zone(name)
    let starts = try ["00:00", "00:30", "01:45", "02:30", "03:00", "23:30"].map {
      try #require(TimeOfDay($0))
    }
    let schedules = try starts.map { start in
      let row = ScheduleRow(
        from: .earliest, plan: try PayrollSample.week(of: 0), zone: zone, workdayStart: start)
      return (start, Schedule(rows: [row], organizationZone: zone))
    }
    for date in try dates(in: zone) {
      for (start, schedule) in schedules
      where schedule.dayStart(date) != WallScan.firstMinute(of: date, at: start.seconds, in: zone) {
        Issue.record("\(date.iso8601) at \(start.text): \(schedule.dayStart(date).rfc3339)")
      }
    }
  }

  /// The dates next to each change of the offset in some years, and one other of each month.
  private func dates(in zone: Zone) throws -> [LocalDate] {
    var dates: [LocalDate] = []
    let ranges = [
      ("2010-10-01", "2010-11-30"), ("2011-12-01", "2012-01-31"), ("2015-08-01", "2015-08-31"),
      ("2026-01-01", "2026-12-31"),
    ]
    for (first, last) in ranges {
      var date = try PayrollSample.date(first)
      let last = try PayrollSample.date(last)
      while date <= last {
        if offset(of: zone, on: date) != offset(of: zone, on: date.adding(days: 1)) {
          dates += (0...2).map { date.adding(days: $0) }
        } else if date.day == 20 {
          dates.append(date)
        }
        date = date.adding(days: 1)
      }
    }
    return dates
  }

  private func offset(of zone: Zone, on date: LocalDate) -> Int32 {
    zone.offsetSeconds(at: Instant(millisecondsSince1970: Int64(date.daysSince1970) * 86_400_000))
  }
}

/// Beginnings of dates, found by looking at a clock every minute.
private enum WallScan {
  /// The first minute at which clocks show some seconds of a date or later; nil for a zone that is more than 26 hours away
  /// from UTC, of which there is none.
  static func firstMinute(of date: LocalDate, at seconds: Int64, in zone: Zone) -> Instant? {
    let shown = Int64(date.daysSince1970) * 86_400 + seconds
    // Clocks west of UTC are looked at for longer, and those that skip a date for a day more.
    return (-16 * 60...36 * 60).lazy
      .map { Instant(millisecondsSince1970: (shown + $0 * 60) * 1_000) }
      .first { $0.millisecondsSince1970 / 1_000 + Int64(zone.offsetSeconds(at: $0)) >= shown }
  }
}
