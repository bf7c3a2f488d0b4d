/// The start and end of a row as instants.
struct ImportTimes: Hashable, Sendable {
  let clockIn: Instant
  let clockOut: Instant

  /// The most that a stated duration may differ from the times, in seconds: services show times cut to minutes.
  private static let tolerance: Int64 = 60

  /// Reads the times that clocks showed in `zone`. Of a time that they showed twice the reading is taken by which the
  /// entry is as long as the row says; where the row says nothing, the earlier start, and the earliest end after it.
  /// The end of a row that has a length instead of one is that long after the earlier start.
  ///
  /// - Throws: `ImportRefusal` for a time that clocks skipped, and where no reading is as long as the row says.
  init(of row: ImportRow, in zone: Zone) throws {
    let starts = try Self.readings(of: row.clockIn, in: zone)
    let ends: [Instant]
    switch row.clockOut {
    case .time(let time): ends = try Self.readings(of: time, in: zone)
    case .after(let seconds):
      clockIn = starts[0]
      clockOut = starts[0].adding(milliseconds: seconds * 1_000)
      return
    }
    guard let stated = row.statedSeconds, starts.count + ends.count > 2 else {
      clockIn = starts[0]
      clockOut = ends.first { $0 > starts[0] } ?? ends[0]
      return
    }
    for start in starts {
      for end in ends
      where abs(end.milliseconds(since: start) / 1_000 - stated) < Self.tolerance {
        clockIn = start
        clockOut = end
        return
      }
    }
    throw ImportRefusal.timeAmbiguous(in: zone)
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
