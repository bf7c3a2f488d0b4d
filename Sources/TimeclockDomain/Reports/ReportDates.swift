/// The dates of a report as spans of time: those of one zone's calendar for everybody, or each member's own.
///
/// Members whose dates are the same share one list of them: there are as many lists as clocks, and not as members.
package struct ReportDates: Sendable {
  private let first: LocalDate
  private let last: LocalDate
  /// The first one is of all members that `places` lacks.
  private let calendars: [Calendar]
  /// The place in `calendars` of each member with other dates than most.
  private let places: [UserKey: Int]

  /// The dates that a zone's calendar shows.
  package init(of zone: Zone, from first: LocalDate, through last: LocalDate) {
    (self.first, self.last) = (first, last)
    calendars = [.zone(zone)]
    places = [:]
  }

  /// The dates that each member's time counts for.
  ///
  /// - Parameter others: The schedule of all members that `schedules` lacks.
  package init(
    of schedules: [UserKey: Schedule], others: Schedule, from first: LocalDate, through last: LocalDate
  ) {
    var calendars = [Calendar.schedule(others)]
    var known = [others.clockChanges(from: first): 0]
    var places: [UserKey: Int] = [:]
    for (user, schedule) in schedules {
      let clocks = schedule.clockChanges(from: first)
      let place = known[clocks] ?? calendars.count
      if place == calendars.count {
        known[clocks] = place
        calendars.append(.schedule(schedule))
      }
      if place > 0 { places[user] = place }
    }
    (self.first, self.last) = (first, last)
    self.calendars = calendars
    self.places = places
  }

  /// The span from the earliest beginning to the latest end of anybody's dates; nil if none of them has any time.
  package var span: (start: Instant, end: Instant)? {
    let spans = calendars.compactMap { $0.span(from: first, through: last) }
    guard let start = spans.lazy.map(\.start).min(), let end = spans.lazy.map(\.end).max() else { return nil }
    return (start, end)
  }

  /// Whether some dates are before this one.
  func begin(before date: LocalDate) -> Bool { first < date }

  /// All spans: much more work than the rest, if the dates are many.
  func lists() -> ReportDateLists {
    ReportDateLists(
      calendars.map { ReportDateList($0, from: first, through: last) }, places: places)
  }
}

extension ReportDates {
  /// The clocks by which dates begin and end.
  enum Calendar: Sendable {
    case zone(Zone)
    case schedule(Schedule)

    fileprivate func span(from first: LocalDate, through last: LocalDate) -> (start: Instant, end: Instant)? {
      switch self {
      case .zone(let zone):
        if let start = zone.dayStretches(from: first, through: first).first?.start,
          let end = zone.dayStretches(from: last, through: last).last?.end
        {
          return (start, end)
        }
        // The zone skipped a date.
        let stretches = zone.dayStretches(from: first, through: last)
        guard let start = stretches.first?.start, let end = stretches.last?.end else { return nil }
        return (start, end)
      case .schedule(let schedule):
        let (start, end) = (schedule.dayStart(first), schedule.dayEnd(last))
        return start < end ? (start, end) : nil
      }
    }

    fileprivate func stretches(from first: LocalDate, through last: LocalDate) -> [DayStretch] {
      switch self {
      case .zone(let zone): zone.dayStretches(from: first, through: last)
      case .schedule(let schedule): schedule.dayStretches(from: first, through: last)
      }
    }

    fileprivate func date(of instant: Instant) -> LocalDate {
      switch self {
      case .zone(let zone): zone.localDate(at: instant)
      case .schedule(let schedule): schedule.date(of: instant)
      }
    }
  }
}

/// The spans of the dates of a report, for each member.
struct ReportDateLists {
  /// The first one is of all members that `places` lacks.
  private let lists: [ReportDateList]
  private let places: [UserKey: Int]

  fileprivate init(_ lists: [ReportDateList], places: [UserKey: Int]) {
    self.lists = lists
    self.places = places
  }

  subscript(user: UserKey) -> ReportDateList { lists[places.isEmpty ? 0 : places[user] ?? 0] }

  /// The same dates, everybody's continued through the one after an instant's, and without gaps.
  ///
  /// - Parameter end: Nil only fills gaps.
  /// - Returns: Nil if nothing was to be done.
  func continued(over end: Instant?) -> ReportDateLists? {
    guard end != nil || lists.contains(where: \.hasGap) else { return nil }
    return ReportDateLists(lists.map { $0.continued(over: end) }, places: places)
  }
}

/// The spans of the dates of some members.
struct ReportDateList {
  private let calendar: ReportDates.Calendar
  private let first: LocalDate
  /// In the order of time.
  let stretches: [DayStretch]
  /// Whether a date is shown again after the next one, because clocks go back over midnight.
  let datesComeBack: Bool

  fileprivate init(_ calendar: ReportDates.Calendar, from first: LocalDate, through last: LocalDate) {
    self.calendar = calendar
    self.first = first
    stretches = calendar.stretches(from: first, through: last)
    datesComeBack = zip(stretches, stretches.dropFirst()).contains { $0.date > $1.date }
  }

  /// Whether a moment is missing between two dates: if one comes back, the next one's lies between.
  fileprivate var hasGap: Bool { zip(stretches, stretches.dropFirst()).contains { $0.end < $1.start } }

  /// The date of an instant, which may be before or after all of these.
  func date(of instant: Instant) -> LocalDate { calendar.date(of: instant) }

  fileprivate func continued(over end: Instant?) -> ReportDateList {
    guard let last = stretches.last?.end, end != nil || hasGap else { return self }
    let date = calendar.date(of: max(last, end ?? last))
    return ReportDateList(calendar, from: first, through: date.adding(days: 1))
  }
}
