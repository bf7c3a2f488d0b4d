/// The dates of a report as spans of time: those of one zone's calendar for everybody, or each member's own.
///
/// Members whose dates are the same share one list of them: there are as many lists as clocks, and not as members.
package struct ReportDates: Sendable {
  private let first: LocalDate
  /// The first one is of all members that `places` lacks.
  private let lists: [List]
  /// The place in `lists` of each member with other dates than most.
  private let places: [UserKey: Int]

  private init(first: LocalDate, lists: [List], places: [UserKey: Int]) {
    self.first = first
    self.lists = lists
    self.places = places
  }

  /// The dates that a zone's calendar shows.
  package init(of zone: Zone, from first: LocalDate, through last: LocalDate) {
    self.init(first: first, lists: [List(.zone(zone), from: first, through: last)], places: [:])
  }

  /// The dates that each member's time counts for.
  ///
  /// - Parameter others: The schedule of all members that `schedules` lacks.
  package init(
    of schedules: [UserKey: Schedule], others: Schedule, from first: LocalDate, through last: LocalDate
  ) {
    var lists = [List(.schedule(others), from: first, through: last)]
    var known = [others.clockChanges(from: first): 0]
    var places: [UserKey: Int] = [:]
    for (user, schedule) in schedules {
      let clocks = schedule.clockChanges(from: first)
      let place = known[clocks] ?? lists.count
      if place == lists.count {
        known[clocks] = place
        lists.append(List(.schedule(schedule), from: first, through: last))
      }
      if place > 0 { places[user] = place }
    }
    self.init(first: first, lists: lists, places: places)
  }

  /// The span from the earliest beginning to the latest end of anybody's dates; nil if none of them has any time.
  package var span: (start: Instant, end: Instant)? {
    let starts = lists.lazy.compactMap { $0.stretches.first?.start }
    let ends = lists.lazy.compactMap { $0.stretches.last?.end }
    guard let start = starts.min(), let end = ends.max() else { return nil }
    return (start, end)
  }

  /// Whether some dates are before this one.
  func begin(before date: LocalDate) -> Bool { first < date }

  /// A member's dates.
  func list(of user: UserKey) -> List { lists[places.isEmpty ? 0 : places[user] ?? 0] }

  /// The end of a member's last date; nil if none of them has any time.
  func end(of user: UserKey) -> Instant? { list(of: user).stretches.last?.end }

  /// The same dates, everybody's continued through the one after an instant's, and without gaps.
  ///
  /// - Parameter end: Nil only fills gaps.
  /// - Returns: Nil if nothing was to be done.
  func continued(over end: Instant?) -> ReportDates? {
    guard end != nil || lists.contains(where: \.hasGap) else { return nil }
    return ReportDates(
      first: first, lists: lists.map { $0.continued(from: first, over: end) }, places: places)
  }
}

extension ReportDates {
  /// The dates of some members.
  struct List: Sendable {
    private let calendar: Calendar
    /// In the order of time.
    let stretches: [DayStretch]
    /// Whether a date is shown again after the next one, because clocks go back over midnight.
    let datesComeBack: Bool

    fileprivate enum Calendar {
      case zone(Zone)
      case schedule(Schedule)
    }

    fileprivate init(_ calendar: Calendar, from first: LocalDate, through last: LocalDate) {
      self.calendar = calendar
      stretches =
        switch calendar {
        case .zone(let zone): zone.dayStretches(from: first, through: last)
        case .schedule(let schedule): schedule.dayStretches(from: first, through: last)
        }
      datesComeBack = zip(stretches, stretches.dropFirst()).contains { $0.date > $1.date }
    }

    /// Whether a moment is missing between two dates: if one comes back, the next one's lies between.
    fileprivate var hasGap: Bool { zip(stretches, stretches.dropFirst()).contains { $0.end < $1.start } }

    fileprivate func continued(from first: LocalDate, over end: Instant?) -> List {
      guard let last = stretches.last?.end, end != nil || hasGap else { return self }
      let edge = max(last, end ?? last)
      let date =
        switch calendar {
        case .zone(let zone): zone.localDate(at: edge)
        case .schedule(let schedule): schedule.date(of: edge)
        }
      return List(calendar, from: first, through: date.adding(days: 1))
    }
  }
}
