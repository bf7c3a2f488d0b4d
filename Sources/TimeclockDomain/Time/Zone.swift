/// A time zone: its name and the offset from UTC that it has, had and will have.
package final class Zone: Sendable {
  /// The name it was asked for by.
  package let identifier: TimeZoneIdentifier
  private let rules: ZoneRules

  /// A zone from the bytes of a TZif file (RFC 9636); nil when they are not one, or count leap seconds.
  package init?(identifier: TimeZoneIdentifier, tzif bytes: [UInt8]) {
    guard let rules = ZoneRules(tzif: bytes) else { return nil }
    self.identifier = identifier
    self.rules = rules
  }

  /// Seconds east of UTC at an instant.
  package func offsetSeconds(at instant: Instant) -> Int32 {
    rules.offset(at: instant.millisecondsSince1970.flooredQuotient(by: 1000))
  }

  /// The first instant after this one at which the offset, or the rule behind it, changes; nil if it never does, or so
  /// late that no instant is it.
  func nextOffsetChange(after instant: Instant) -> Instant? {
    rules.firstChange(after: instant.millisecondsSince1970.flooredQuotient(by: 1000)).flatMap { seconds in
      let (milliseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
      return isBeyond ? nil : Instant(millisecondsSince1970: milliseconds)
    }
  }

  /// Every offset from UTC that holds some time from `start` through `end`, which are seconds since 1970.
  func offsets(from start: Int64, through end: Int64) -> Set<Int32> {
    var offsets: Set = [rules.offset(at: start)]
    var seconds = start
    while let change = rules.firstChange(after: seconds), change <= end {
      offsets.insert(rules.offset(at: change))
      seconds = change
    }
    return offsets
  }

  /// The date that a calendar on the wall shows at an instant, within the range of `LocalDate`.
  package func localDate(at instant: Instant) -> LocalDate {
    let seconds = instant.millisecondsSince1970.flooredQuotient(by: 1000)
    // A thousandth of an Int64 leaves room for an offset.
    let days = (seconds + Int64(rules.offset(at: seconds))).flooredQuotient(by: 86_400)
    return LocalDate(daysSince1970: Int32(clamping: days))
  }

  /// The first instant whose local date is `date` or later.
  ///
  /// A day whose midnight is skipped starts at the transition; a date that is skipped whole starts with the next one
  /// and lasts no time. If clocks go back over midnight, the date starts when it is first shown, though the date before
  /// comes back for a while.
  package func startOfDay(_ date: LocalDate) -> Instant {
    firstInstant(showing: Int64(date.daysSince1970) * 86_400)
  }

  /// The first instant at which clocks in the zone show a time or a later one: the transition if they skip it, the first
  /// of the two if they show it twice.
  ///
  /// - Parameter wallSeconds: Seconds since 1970-01-01T00:00 on the same wall.
  func firstInstant(showing wallSeconds: Int64) -> Instant {
    var seconds = wallSeconds - Int64(rules.greatestOffset)
    // Before `seconds` no offset reaches the time; each turn looks at a span of one offset.
    while true {
      let shown = max(seconds, wallSeconds - Int64(rules.offset(at: seconds)))
      guard let change = rules.firstChange(after: seconds), change <= shown else {
        return Instant(millisecondsSince1970: shown * 1000)
      }
      seconds = change
    }
  }
}
