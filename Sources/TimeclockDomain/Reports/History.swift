/// The time of a day, a week or a month, and the projects and tasks that it was for.
package struct History: Sendable {
  package var period: HistoryPeriod
  package var frame: ReportFrame
  /// Whole seconds of the entries, breaks included.
  package var workSeconds: Int64
  /// Whole seconds of all breaks, paid ones included.
  package var breakSeconds: Int64
  package var unpaidBreakSeconds: Int64
  /// The part of `workSeconds` that breaks would have taken that the policy asks for, as a report says.
  package var deductedBreakSeconds: Int64
  package var projects: [HistoryRow<Project>]
  package var tasks: [HistoryRow<WorkTask>]
  /// Every date of the period.
  package var days: [Day]
  /// Whole seconds of the segments that are kept without an entry; no row has them.
  package var outsideSeconds: Int64

  package init(
    period: HistoryPeriod, frame: ReportFrame, workSeconds: Int64, breakSeconds: Int64,
    unpaidBreakSeconds: Int64, deductedBreakSeconds: Int64, projects: [HistoryRow<Project>],
    tasks: [HistoryRow<WorkTask>], days: [Day], outsideSeconds: Int64
  ) {
    self.period = period
    self.frame = frame
    self.workSeconds = workSeconds
    self.breakSeconds = breakSeconds
    self.unpaidBreakSeconds = unpaidBreakSeconds
    self.deductedBreakSeconds = deductedBreakSeconds
    self.projects = projects
    self.tasks = tasks
    self.days = days
    self.outsideSeconds = outsideSeconds
  }

  package var paidSeconds: Int64 { workSeconds - unpaidBreakSeconds - deductedBreakSeconds }

  /// The time of one date.
  package struct Day: Sendable {
    package var date: LocalDate
    package var workSeconds: Int64
    package var projects: [HistoryRow<Project>]

    package init(
      date: LocalDate, workSeconds: Int64, projects: [HistoryRow<Project>]
    ) {
      self.date = date
      self.workSeconds = workSeconds
      self.projects = projects
    }
  }
}

/// The length of the time that a history is about.
package enum HistoryPeriod: String, CaseIterable, Sendable {
  case day, week, month

  /// The first and the last date of the period that a date lies in, cut off at the ends of the calendar.
  ///
  /// - Parameter rules: Say on which day weeks begin.
  package func dates(around date: LocalDate, by rules: PayRulesCalendar) -> (
    first: LocalDate, last: LocalDate
  ) {
    switch self {
    case .day: (date, date)
    case .week: PayPeriod.weekly.dates(around: date, by: rules)
    case .month: PayPeriod.monthly.dates(around: date, by: rules)
    }
  }
}

/// The date to which a history counts time.
package enum HistoryAttribution: String, CaseIterable, Sendable {
  /// Each moment counts for the date that it lies in.
  case split
  /// An entry counts for the date on which it began, its breaks and the time without a segment with it; work on a
  /// project or a task counts for the date on which that work began.
  case start

  package var ofReports: ReportAttribution {
    switch self {
    case .split: .split
    case .start: .start
    }
  }
}

/// A client's request for a history.
package struct HistoryRequest: Sendable {
  package var period: HistoryPeriod
  /// Any date of the period; nil for today.
  package var date: LocalDate?
  /// Counts instead of the period and its date.
  package var range: CalendarRange?
  package var attribution: HistoryAttribution
  /// The zone's name; nil for the member's, or the organization's if everyone's time is asked for.
  package var timeZone: String?
  /// The owners of the time; if none are stated, the caller for a member, and everyone for a manager.
  package var members: WantedMembers
  /// The instant up to which active entries count; nil for the present.
  package var asOf: Instant?

  package init(
    period: HistoryPeriod, date: LocalDate? = nil, range: CalendarRange? = nil,
    attribution: HistoryAttribution = .split, timeZone: String? = nil,
    members: WantedMembers = WantedMembers(), asOf: Instant? = nil
  ) {
    self.period = range?.period ?? period
    self.date = date
    self.range = range
    self.attribution = attribution
    self.timeZone = timeZone
    self.members = members
    self.asOf = asOf
  }

  /// Whether the request is about the time of everyone in the organization or in a group.
  package func isAboutEveryone(for caller: Membership) -> Bool {
    members.userID == nil && caller.role >= .manager
  }
}
