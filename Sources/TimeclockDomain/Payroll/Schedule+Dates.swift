/// The dates that a member's time counts for, each from its own beginning to that of the next one: no instant is in two
/// or in none. A date that lasts no time, as one that the zone skipped, has no instant.
extension Schedule {
  /// The time after the end of a date, in milliseconds, by which it is over for every instance of the service: their
  /// clocks differ by less.
  package static let clockMargin: Int64 = 300_000

  /// The first instant at which the clock of the date's row shows its `workdayStart` of the date, or later.
  package func dayStart(_ date: LocalDate) -> Instant {
    start(ofDay: Int64(date.daysSince1970))
  }

  /// The instant at which the date is over: the beginning of the next one.
  package func dayEnd(_ date: LocalDate) -> Instant {
    start(ofDay: Int64(date.daysSince1970) + 1)
  }

  /// The date that an instant counts for, within the range of `LocalDate`.
  package func date(of instant: Instant) -> LocalDate {
    // No clock is more than 26 hours ahead of UTC (RFC 9636, section 3.2), so no later date has begun.
    var date = instant.utcDate.adding(days: 2)
    while dayStart(date) > instant, date > .earliest { date = date.adding(days: -1) }
    return date
  }

  /// The last date that is over for certain: it ended `clockMargin` ago, or earlier.
  package func lastCountedDate(at now: Instant) -> LocalDate {
    date(of: now.adding(milliseconds: -Self.clockMargin)).adding(days: -1)
  }

  /// The spans of the dates from `first` through `last`, in the order of time and without a gap; a date that lasts no
  /// time has none.
  package func dayStretches(from first: LocalDate, through last: LocalDate) -> [DayStretch] {
    guard first <= last else { return [] }
    var stretches: [DayStretch] = []
    stretches.reserveCapacity(Int(last.daysSince1970 - first.daysSince1970) + 1)
    var start = dayStart(first)
    for day in first.daysSince1970...last.daysSince1970 {
      let date = LocalDate(daysSince1970: day)
      let end = dayEnd(date)
      if start < end { stretches.append(DayStretch(start: start, end: end, date: date)) }
      start = end
    }
    return stretches
  }
}

/// A clock that some dates begin by.
struct ClockChange: Hashable, Sendable {
  /// The first of its dates; nil if all earlier ones that matter are its own too.
  var from: LocalDate?
  var zone: TimeZoneIdentifier
  var start: TimeOfDay
}

extension Schedule {
  /// The clocks that the dates from a certain one on begin by, without rows that change neither zone nor start: schedules
  /// with the same ones have the same dates from there on.
  func clockChanges(from date: LocalDate) -> [ClockChange] {
    // No clock is more than 26 hours away from UTC, so two dates later an earlier clock holds no beginning back.
    let settled = date.adding(days: -3)
    var changes = [ClockChange(zone: organizationZone.identifier, start: .midnight)]
    for row in rows {
      var change = ClockChange(
        zone: (row.zone ?? organizationZone).identifier, start: row.workdayStart ?? .midnight)
      guard let last = changes.last, (last.zone, last.start) != (change.zone, change.start) else { continue }
      if row.from <= settled { changes = [] } else { change.from = row.from }
      changes.append(change)
    }
    return changes
  }
}
