@testable import TimeclockDomain

/// Zones whose clocks are hard to read: a skipped day, changes of half an hour, daylight saving time in winter.
enum FuzzedZones {
  static let all: [Zone] = {
    let database = TimeZoneDatabase()
    let names = ["Europe/Berlin", "Europe/Dublin", "Pacific/Apia", "Australia/Lord_Howe"]
    let zones = names.compactMap { TimeZoneIdentifier($0).flatMap(database.zone) }
    require(zones.count == names.count, "the system has no time zones: install tzdata")
    return zones
  }()
}

/// The times of a row in a zone.
enum ImportTimesCheck {
  /// The row's times are local times, or it is refused.
  static func check(_ row: ImportRow, in zone: Zone) {
    do {
      let times = try ImportTimes(of: row, in: zone)
      if case .after(let seconds) = row.clockOut {
        let length = times.clockOut.milliseconds(since: times.clockIn)
        require(length == seconds * 1_000, "\(seconds) s are read as \(length) ms")
      }
      for (stated, instant) in zip(row.statedTimes, [times.clockIn, times.clockOut]) {
        guard case .local(let local) = stated else { continue }
        let shown = instant.adding(milliseconds: Int64(zone.offsetSeconds(at: instant)) * 1_000)
        require(shown.millisecondsSince1970 == local.milliseconds, "\(local) is read as \(instant.rfc3339)")
      }
      if case .clock(let millisecondOfDay, let date) = row.clockOut {
        let offset = Int64(zone.offsetSeconds(at: times.clockOut)) * 1_000
        let shown = times.clockOut.adding(milliseconds: offset).millisecondsSince1970
        let since = shown - LocalTime(date: date, millisecondOfDay: millisecondOfDay).milliseconds
        require(
          since >= 0 && since % 86_400_000 == 0, "\(millisecondOfDay) ms is read as \(times.clockOut.rfc3339)"
        )
      }
      if case .after = row.clockOut {
      } else if let stated = row.statedSeconds {
        let length = times.clockOut.milliseconds(since: times.clockIn) / 1_000
        require(length <= stated + 120, "\(stated) s are kept as \(length) s")
      }
      let kept = try ImportTimes(of: row, in: zone, takesLength: true)
      require(kept.clockOut <= times.clockOut, "\(kept.clockOut.rfc3339) is later")
    } catch {
      require(error is ImportRefusal, "\(error)")
    }
  }
}

extension ImportRow {
  /// The start, and the end if the row has one.
  var statedTimes: [ImportTime] {
    guard case .time(let end) = clockOut else { return [clockIn] }
    return [clockIn, end]
  }
}
