/// The entries of an export whose dates are those that members' time counts for, and not the ones that entries have of
/// their own.
package struct CountedEntries: Sendable {
  private let schedules: [UserID: Schedule]
  /// The schedule of all members that `schedules` lacks.
  private let others: Schedule
  private let first: LocalDate?
  private let last: LocalDate?
  private let match: TimeEntryMatch

  /// - Parameters:
  ///   - first: The first date; nil for no beginning.
  ///   - last: The last date; nil for no end.
  ///   - match: Whether entries begin on these dates, or share a moment with them.
  package init(
    by schedules: [UserID: Schedule], others: Schedule, from first: LocalDate?, through last: LocalDate?,
    match: TimeEntryMatch
  ) {
    self.schedules = schedules
    self.others = others
    self.first = first
    self.last = last
    self.match = match
  }

  /// The most days between the date that an entry has of its own and the one that it counts for: zones are up to 26 hours
  /// apart from UTC, and a date begins up to a day after midnight.
  private static let margin = 4

  /// A range with all of these entries, and maybe others.
  package var range: TimeEntryRange {
    switch match {
    case .start:
      return .dates(
        from: first?.adding(days: -Self.margin), through: last?.adding(days: Self.margin))
    case .overlap:
      let all = [others] + schedules.values
      return .overlapping(
        from: first.flatMap { date in all.lazy.map { $0.dayStart(date) }.min() },
        to: last.flatMap { date in all.lazy.map { $0.dayEnd(date) }.max() })
    }
  }

  /// The entry with the date that it counts for, which is that of its start; nil if it is none of these.
  package func counted(_ entry: TimeEntry) -> TimeEntry? {
    let schedule = schedules[entry.userID] ?? others
    var entry = entry
    entry.date = schedule.date(of: entry.clockInTime)
    switch match {
    case .start:
      guard first.map({ $0 <= entry.date }) ?? true, last.map({ entry.date <= $0 }) ?? true else {
        return nil
      }
    case .overlap:
      guard last.map({ entry.clockInTime < schedule.dayEnd($0) }) ?? true else { return nil }
      guard let first, let end = entry.clockOutTime else { break }
      guard end > schedule.dayStart(first) else { return nil }
    }
    return entry
  }
}
