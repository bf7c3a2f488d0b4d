/// The schedule rows of one member, and with them the beginnings of the dates that the member's time counts for.
///
/// A date is in its row's zone and begins at its row's `workdayStart`; before the first row, in the organization's zone
/// at midnight.
package struct Schedule: Sendable {
  /// By `from`.
  package let rows: [ScheduleRow]
  package let organizationZone: Zone
  /// For each row, the instant before which none of its dates begins: the beginning of the date before the row.
  private let floors: [Instant]

  /// Any rows make a schedule, so that stored ones can always be read; `validate()` says whether they may be stored.
  ///
  /// - Parameter rows: In any order.
  package init(rows: [ScheduleRow], organizationZone: Zone) {
    self.rows = rows.sorted { $0.from < $1.from }
    self.organizationZone = organizationZone
    var clock = CountingClock(zone: organizationZone, start: .midnight)
    var floor: Instant?
    var floors: [Instant] = []
    for row in self.rows {
      let before = clock.start(ofDay: Int64(row.from.daysSince1970) - 1)
      let start = max(before, floor ?? before)
      floors.append(start)
      floor = start
      clock = CountingClock(row, organizationZone)
    }
    self.floors = floors
  }

  /// The row in force on a date: the one with the latest `from` that is not after it; nil before the first.
  package func row(on date: LocalDate) -> ScheduleRow? {
    place(ofDay: Int64(date.daysSince1970)).map { rows[$0] }
  }

  /// Checks that dates begin one after another at each change of the zone and of `workdayStart`.
  ///
  /// - Throws: `TimeclockError.scheduleTurnsBack` if the first date of a row would begin before the date before it.
  package func validate() throws {
    for (row, floor) in zip(rows, floors) {
      let start = CountingClock(row, organizationZone).start(ofDay: Int64(row.from.daysSince1970))
      guard floor <= start else { throw TimeclockError.scheduleTurnsBack }
    }
  }

  /// The beginning of the day this many days after 1970-01-01; never before that of an earlier day, whatever the rows are.
  func start(ofDay day: Int64) -> Instant {
    guard let place = place(ofDay: day) else {
      return CountingClock(zone: organizationZone, start: .midnight).start(ofDay: day)
    }
    return max(floors[place], CountingClock(rows[place], organizationZone).start(ofDay: day))
  }

  /// The place of the row in force on the day this many days after 1970-01-01; nil before the first.
  func place(ofDay day: Int64) -> Int? {
    let next = rows.firstPlace { Int64($0.from.daysSince1970) > day }
    return next == 0 ? nil : next - 1
  }
}

/// The clock that a date begins by.
private struct CountingClock {
  var zone: Zone
  var start: TimeOfDay

  init(zone: Zone, start: TimeOfDay) {
    self.zone = zone
    self.start = start
  }

  init(_ row: ScheduleRow, _ organizationZone: Zone) {
    self.init(zone: row.zone ?? organizationZone, start: row.workdayStart ?? .midnight)
  }

  /// The first instant at which the clock shows `start` of the day this many days after 1970-01-01, or later.
  func start(ofDay day: Int64) -> Instant {
    zone.firstInstant(showing: day * 86_400 + start.seconds)
  }
}

extension TimeclockError {
  package static let scheduleTurnsBack = TimeclockError.plain(
    PlainRefusal(
      "invalid_schedule", against: .rule,
      "With this timeZone and workdayStart the first date of the schedule would begin before the date before it"
    ))
}
