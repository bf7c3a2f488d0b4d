/// The reading of a calendar and a clock on the wall: a date and a time of day, without a zone.
package struct LocalTime: Hashable, Sendable {
  package var date: LocalDate
  /// Milliseconds since the clock showed midnight, 0 to 86,399,999.
  package var millisecondOfDay: Int64

  package init(date: LocalDate, millisecondOfDay: Int64) {
    self.date = date
    self.millisecondOfDay = millisecondOfDay
  }

  /// Milliseconds since 1970-01-01T00:00 on the same wall.
  var milliseconds: Int64 { Int64(date.daysSince1970) * 86_400_000 + millisecondOfDay }
}

extension Zone {
  /// The instants at which clocks in the zone show this, the earliest first: one as a rule, none if clocks skip it, two
  /// if they go back and show it again.
  package func instants(showing local: LocalTime) -> [Instant] {
    // No zone was ever as much as 26 hours away from UTC (RFC 9636, section 3.2), so the offset that holds is found
    // within.
    let shown = local.milliseconds
    let window: Int64 = 26 * 3_600
    let seconds = shown.flooredQuotient(by: 1_000)
    let found = offsets(from: seconds - window, through: seconds + window).compactMap { offset -> Instant? in
      let instant = Instant(millisecondsSince1970: shown - Int64(offset) * 1_000)
      return offsetSeconds(at: instant) == offset ? instant : nil
    }
    return Set(found).sorted()
  }
}
