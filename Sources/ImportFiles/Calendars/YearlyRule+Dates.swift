import TimeclockDomain

extension YearlyRule {
  /// Returns the dates of the rule within a range.
  ///
  /// - Parameters:
  ///   - start: The first date, which counts as one of `COUNT`.
  ///   - line: The line of the event, for the error.
  /// - Throws: `CalendarFileError` if that takes more work than a file may ask for.
  func dates(
    from start: LocalDate, within range: ClosedRange<LocalDate>, line: Int, _ effort: inout CalendarEffort
  ) throws(CalendarFileError) -> Set<LocalDate> {
    let last = min(until ?? .latest, range.upperBound)
    var year = start.year
    // Only if they are counted the dates before the range matter.
    if count == nil { year += max(0, range.lowerBound.year - year) / interval * interval }
    var found: Set<LocalDate> = []
    var left = count ?? .max
    while year <= last.year {
      for month in candidateMonths(start) {
        let candidates = candidates(year: year, month: month, start)
        try effort.spend(candidates.count + 1, line)
        for date in candidates
        where date >= start && date <= last && left > 0 && isDay(date, start) {
          left -= 1
          if range.contains(date) { found.insert(date) }
        }
      }
      guard left > 0 else { break }
      year += interval
    }
    return found
  }

  /// The months that can have a date, in order.
  private func candidateMonths(_ start: LocalDate) -> [Int] {
    if !months.isEmpty { return months.sorted() }
    return namesDays ? Array(1...12) : [start.month]
  }

  private var namesDays: Bool { !monthDays.isEmpty || !days.isEmpty }

  /// The dates of a month that have to be looked at, in order.
  private func candidates(year: Int, month: Int, _ start: LocalDate) -> [LocalDate] {
    guard namesDays else { return LocalDate(year: year, month: month, day: start.day).map { [$0] } ?? [] }
    guard let first = LocalDate(year: year, month: month, day: 1) else { return [] }
    return (0..<first.endOfMonth.day).map { first.adding(days: $0) }
  }

  /// Whether the rule gives a date in one of its years; what it leaves open is as in the first date.
  func matches(_ date: LocalDate, start: LocalDate) -> Bool {
    candidateMonths(start).contains(date.month) && isDay(date, start)
  }

  /// Whether a date in one of the rule's months is on one of its days.
  private func isDay(_ date: LocalDate, _ start: LocalDate) -> Bool {
    let day = date.day
    if !monthDays.isEmpty {
      let fromEnd = day - date.endOfMonth.day - 1
      guard monthDays.contains(day) || monthDays.contains(fromEnd) else { return false }
    } else if days.isEmpty {
      return day == start.day
    }
    return days.isEmpty || days.contains { $0.weekday == date.weekday && isOrdinal($0.ordinal, date) }
  }

  /// Whether the date is the nth of its weekday: in its month if the rule names months, else in its year.
  private func isOrdinal(_ ordinal: Int?, _ date: LocalDate) -> Bool {
    guard let ordinal else { return true }
    let before: Int
    let after: Int
    if months.isEmpty {
      guard let first = LocalDate(year: date.year, month: 1, day: 1),
        let last = LocalDate(year: date.year, month: 12, day: 31)
      else { return false }
      before = Int(date.daysSince1970 - first.daysSince1970)
      after = Int(last.daysSince1970 - date.daysSince1970)
    } else {
      before = date.day - 1
      after = date.endOfMonth.day - date.day
    }
    return ordinal > 0 ? before / 7 + 1 == ordinal : after / 7 + 1 == -ordinal
  }
}
