/// The start and end of a row as instants.
package struct ImportTimes: Hashable, Sendable {
  package let clockIn: Instant
  package private(set) var clockOut: Instant
  /// Whether the end was moved to the row's stated length.
  package private(set) var isShortened = false

  /// The most that a stated duration may differ from a reading of the times, in seconds: services show times cut to minutes.
  private static let readingTolerance: Int64 = 60
  /// The seconds by which a row's own length may be shorter than its start and end are apart: both may be cut to minutes.
  private static let lengthTolerance: Int64 = 120
  private static let daySeconds: Int64 = 86_400

  /// Reads the times that clocks showed in `zone`. Of a time that they showed twice the reading is taken by which the
  /// entry is as long as the row says; if the row says nothing, the earlier start, and the earliest end after it. The
  /// end of a row that has a length instead of one is that long after the earlier start. A time of day alone is on the
  /// date of the start, in its earlier or its later reading, and only then on a later date.
  ///
  /// No entry is longer than the row itself says that the work was: two statements that contradict each other are refused,
  /// or the shorter one counts, from the start on.
  ///
  /// - Parameters:
  ///   - takesLength: Whether the entry ends after the row's own length, less its break, if that is shorter than its
  ///     start and end are apart.
  ///   - names: The names of the settings in messages.
  /// - Throws: `ImportRefusal` for a time that clocks skipped, and if no reading is as long as the row says; for a
  ///   break without a time, and a length that is shorter than the times.
  package init(
    of row: ImportRow, in zone: Zone, takesLength: Bool = false, _ names: ImportSettingNames = .parameters
  ) throws {
    (clockIn, clockOut) = try Self.span(of: row, in: zone)
    let rest = row.breakSeconds ?? 0
    if case .after = row.clockOut {
      // It is unknown whether the length includes the break.
      guard rest <= 0 else { throw ImportRefusal.breakUnplaced(names, isEnded: false) }
      return
    }
    let span = clockOut.milliseconds(since: clockIn) / 1_000
    var length = span - rest
    if let stated = row.statedSeconds, length - stated > Self.lengthTolerance { length = stated }
    guard length < span else { return }
    guard takesLength else {
      throw rest > 0
        ? ImportRefusal.breakUnplaced(names, isEnded: true)
        : .durationMismatch(stated: length, span: span, names)
    }
    clockOut = clockIn.adding(milliseconds: length * 1_000)
    isShortened = true
  }

  private static func span(of row: ImportRow, in zone: Zone) throws -> (Instant, Instant) {
    let starts = try readings(of: row.clockIn, in: zone)
    switch row.clockOut {
    case .after(let seconds): return (starts[0], starts[0].adding(milliseconds: seconds * 1_000))
    case .time(let time):
      let ends = try readings(of: time, in: zone)
      guard let stated = row.statedSeconds, starts.count + ends.count > 2 else {
        return (starts[0], ends.first { $0 > starts[0] } ?? ends[0])
      }
      guard let found = fitting(starts, ends, stated) else { throw ImportRefusal.timeAmbiguous(in: zone) }
      return found
    case .clock(let end, let date):
      return try span(from: starts, to: end, date, row, in: zone)
    }
  }

  /// The span up to a time of day.
  ///
  /// - Parameter date: The date on which the clock showed the start.
  private static func span(
    from starts: [Instant], to end: Int64, _ date: LocalDate, _ row: ImportRow, in zone: Zone
  ) throws -> (Instant, Instant) {
    func ends(after days: Int64) -> [Instant] {
      zone.instants(showing: LocalTime(date: date.adding(days: Int(days)), millisecondOfDay: end))
    }
    func last(_ ends: [Instant]) throws -> [Instant] {
      guard !ends.isEmpty else { throw ImportRefusal.timeSkipped(in: zone) }
      return ends
    }
    let start = clockReading(of: row.clockIn)
    guard let stated = row.statedSeconds else {
      let sameDate = ends(after: 0)
      if let end = sameDate.first(where: { $0 > starts[0] }) { return (starts[0], end) }
      guard end < start else { return (starts[0], try last(sameDate)[0]) }
      return (starts[0], try last(ends(after: 1))[0])
    }
    let whole = max(0, stated / daySeconds)
    for days in Set([0, 1, max(0, whole - 1), whole, whole + 1]).sorted() {
      if let found = fitting(starts, ends(after: days), stated) { return found }
    }
    // No reading fits: the date to which the length comes nearest, and ambiguous times stay so.
    let first: Int64 = end < start ? 1 : 0
    let length = (end - start) / 1_000 + first * daySeconds
    let found = try last(ends(after: first + max(0, (stated - length + daySeconds / 2) / daySeconds)))
    guard starts.count + found.count == 2 else { throw ImportRefusal.timeAmbiguous(in: zone) }
    return (starts[0], found[0])
  }

  /// The first readings between which it is as long as the row says; nil if none are.
  private static func fitting(
    _ starts: [Instant], _ ends: [Instant], _ stated: Int64
  ) -> (Instant, Instant)? {
    for start in starts {
      for end in ends where abs(end.milliseconds(since: start) / 1_000 - stated) < readingTolerance {
        return (start, end)
      }
    }
    return nil
  }

  /// The milliseconds since midnight that the clock showed at the start of a row whose end is a time of day.
  private static func clockReading(of time: ImportTime) -> Int64 {
    switch time {
    case .local(let local), .elapsed(_, let local): local.millisecondOfDay
    case .instant: 0
    }
  }

  private static func readings(of time: ImportTime, in zone: Zone) throws -> [Instant] {
    switch time {
    case .instant(let instant): return [instant]
    case .local(let local):
      let readings = zone.instants(showing: local)
      guard !readings.isEmpty else { throw ImportRefusal.timeSkipped(in: zone) }
      return readings
    case .elapsed(let seconds, let local):
      return try readings(of: .local(local), in: zone).map { $0.adding(milliseconds: seconds * 1_000) }
    }
  }
}
