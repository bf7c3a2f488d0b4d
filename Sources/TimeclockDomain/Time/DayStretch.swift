/// A span `[start, end)` in which a zone's calendar shows one date, with another before and after it.
///
/// A date comes back if clocks go back over midnight, and has two stretches.
package struct DayStretch: Hashable, Sendable {
  package var start: Instant
  package var end: Instant
  package var date: LocalDate

  package init(start: Instant, end: Instant, date: LocalDate) {
    self.start = start
    self.end = end
    self.date = date
  }
}

extension [DayStretch] {
  /// The place of the first of these stretches, which stand in the order of time, that ends after an instant; the count
  /// if none does.
  func place(endingAfter instant: Instant) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].end <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Zone {
  /// The stretches of the dates from `first` through `last`, in the order of time. A date that the zone skipped has
  /// none. Between two that are neighbors there is no gap, but if a date outside comes back.
  package func dayStretches(from first: LocalDate, through last: LocalDate) -> [DayStretch] {
    guard first <= last else { return [] }
    let day: Int64 = 86_400_000
    // No zone is a day away from UTC.
    let end = Instant(millisecondsSince1970: (Int64(last.daysSince1970) + 2) * day)
    var start = Instant(millisecondsSince1970: (Int64(first.daysSince1970) - 1) * day)
    var stretches: [DayStretch] = []
    stretches.reserveCapacity(Int(last.daysSince1970 - first.daysSince1970) + 3)
    while start < end {
      let date = localDate(at: start)
      let next = nextDateChange(after: start)
      if first <= date, date <= last {
        stretches.append(DayStretch(start: start, end: next, date: date))
      }
      start = next
    }
    return stretches
  }

  /// The first instant after this one at which the calendar shows another date.
  func nextDateChange(after instant: Instant) -> Instant {
    let date = localDate(at: instant)
    var current = instant
    while true {
      let midnight = nextMidnight(after: current)
      guard let change = nextOffsetChange(after: current), change <= midnight else { return midnight }
      if localDate(at: change) != date { return change }
      current = change
    }
  }

  /// The instant at which the date would end if the offset of this instant stayed.
  private func nextMidnight(after instant: Instant) -> Instant {
    let day: Int64 = 86_400_000
    let offset = Int64(offsetSeconds(at: instant)) * 1_000
    let local = instant.millisecondsSince1970 + offset
    return Instant(millisecondsSince1970: (local.flooredQuotient(by: day) + 1) * day - offset)
  }
}
