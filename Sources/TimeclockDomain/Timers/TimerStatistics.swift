/// The properties by which sessions of timers are added up.
package enum TimerGrouping: String, CaseIterable, Sendable {
  case day
  /// By ISO 8601.
  case week
  case month
  case project
  case task
  case type
  case label
}

/// The sums of a member's sessions.
package struct TimerStatistics: Sendable {
  package var grouping: TimerGrouping
  /// Inclusive dates; nil leaves that side open.
  package var startDate: LocalDate?
  package var endDate: LocalDate?
  /// The member's zone, in which a session belongs to the date on which it began.
  package var timeZone: TimeZoneIdentifier
  /// By their keys, the one without a key last.
  package var rows: [Row]
  package var total: Sums
  /// The number of days in a row, up to today, or to yesterday if today has none yet, on which a focus began.
  package var streak: Int64

  package init(
    grouping: TimerGrouping, startDate: LocalDate?, endDate: LocalDate?, timeZone: TimeZoneIdentifier,
    rows: [Row], total: Sums, streak: Int64
  ) {
    self.grouping = grouping
    self.startDate = startDate
    self.endDate = endDate
    self.timeZone = timeZone
    self.rows = rows
    self.total = total
    self.streak = streak
  }

  /// The sum of some sessions.
  package struct Sums: Hashable, Sendable {
    package var minutes: Int64 = 0
    package var interruptionsMinutes: Int64 = 0
    package var sessions: Int64 = 0

    package init() {}

    mutating func add(_ session: TimerSession) {
      minutes += session.durationMinutes
      interruptionsMinutes += session.interruptionsMinutes
      sessions += 1
    }
  }

  /// The sum of the sessions that have something in common.
  package struct Row: Hashable, Sendable {
    /// `2026-11-20`, `2026-W47`, `2026-11`, an id, a type or a label; nil for sessions without.
    package var key: String?
    package var sums: Sums
  }
}

/// Adds up sessions, one after the other.
package struct TimerSummation {
  let grouping: TimerGrouping
  let zone: Zone
  package private(set) var total = TimerStatistics.Sums()
  private var groups: [String?: TimerStatistics.Sums] = [:]

  package init(by grouping: TimerGrouping, in zone: Zone) {
    self.grouping = grouping
    self.zone = zone
  }

  /// Adds a session to its group and to the total.
  package mutating func add(_ session: TimerSession) {
    total.add(session)
    groups[key(of: session), default: TimerStatistics.Sums()].add(session)
  }

  /// The rows in the order of their keys' bytes, the one without a key last.
  package var rows: [TimerStatistics.Row] {
    groups.map { TimerStatistics.Row(key: $0.key, sums: $0.value) }.sorted { one, other in
      guard let first = one.key, let second = other.key else { return one.key != nil }
      return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
  }

  private func key(of session: TimerSession) -> String? {
    switch grouping {
    case .day: date(of: session).iso8601
    case .week: Self.text(of: ISOWeek(date(of: session)))
    case .month: String(date(of: session).iso8601.prefix(7))
    case .project: session.projectID?.text
    case .task: session.taskID?.text
    case .type: session.type.rawValue
    case .label: session.label
    }
  }

  private func date(of session: TimerSession) -> LocalDate { zone.localDate(at: session.startTime) }

  private static func text(of week: ISOWeek) -> String {
    "\(week.year)-W\(week.number < 10 ? "0" : "")\(week.number)"
  }
}

/// Counts the days in a row on which a focus began, from the newest session back.
package struct FocusDays {
  package private(set) var count: Int64 = 0
  /// Whether an older session cannot add a day.
  package private(set) var isOver = false

  /// The day that adds one.
  private var wanted: LocalDate

  package init(until today: LocalDate) {
    wanted = today
  }

  /// Adds the session that comes before those added so far, with the date on which it began.
  package mutating func add(_ session: TimerSession, on date: LocalDate) {
    // Today may still get one.
    if count == 0, date == wanted.adding(days: -1), session.isWork { wanted = date }
    if date < wanted.adding(days: count == 0 ? -1 : 0) { isOver = true }
    guard session.isWork, date == wanted else { return }
    count += 1
    wanted = date.adding(days: -1)
  }
}
