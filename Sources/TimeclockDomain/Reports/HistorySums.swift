/// The parts of one segment that a history needs.
package struct HistorySegment: Sendable {
  var start: Instant
  /// Nil while the segment is open.
  var end: Instant?
  /// False for work that is kept without an entry.
  var isInEntry: Bool
  var content: HistoryContent
}

extension HistorySegment {
  package init(_ segment: Segment) {
    let purpose = segment.purpose
    self.init(
      start: segment.startTime, end: segment.endTime, isInEntry: segment.timeEntryID != nil,
      content: segment.kind == .break
        ? .break(isPaid: segment.isPaid) : .work(purpose.projectID, purpose.taskID))
  }
}

/// The purpose of some time.
enum HistoryContent: Hashable, Sendable {
  case work(ProjectID?, TaskID?)
  case `break`(isPaid: Bool)
  /// Time of an entry without a segment.
  case nothing
  /// Work without an entry.
  case outside
}

/// Whole seconds of a history, by ids.
package struct HistorySums: Sendable {
  /// The sums of one date.
  package struct Day: Sendable {
    package var date: LocalDate
    package var workSeconds: Int64 = 0
    /// Without breaks; under nil the time that was for no project.
    package var projects: [ProjectID?: Int64] = [:]
  }

  package var breakSeconds: Int64 = 0
  package var unpaidBreakSeconds: Int64 = 0
  package var deductedBreakSeconds: Int64 = 0
  package var outsideSeconds: Int64 = 0
  /// Without breaks; under nil the time that was for no task.
  package var tasks: [TaskID?: Int64] = [:]
  /// Every date of the period.
  package private(set) var days: [Day]

  package init(from first: LocalDate, through last: LocalDate) {
    days = (first.daysSince1970...last.daysSince1970).map { Day(date: LocalDate(daysSince1970: $0)) }
  }

  package var workSeconds: Int64 { days.reduce(0) { $0 + $1.workSeconds } }

  package var projects: [ProjectID?: Int64] {
    days.reduce(into: [:]) { $0.merge($1.projects, uniquingKeysWith: +) }
  }

  /// Adds the seconds of a section of an entry.
  ///
  /// - Parameters:
  ///   - worked: The date of the entry's time; nil for one outside of the period.
  ///   - done: The date of the work on a project or a task; nil for one outside of the period.
  mutating func add(
    _ seconds: Int64, as content: HistoryContent, workedOn worked: LocalDate?, doneOn done: LocalDate?
  ) {
    if let worked, content != .outside { days[place(of: worked)].workSeconds += seconds }
    switch content {
    case .work(let project, let task):
      guard let done else { return }
      add(seconds, project, task, on: done)
    case .nothing:
      guard let worked else { return }
      add(seconds, nil, nil, on: worked)
    case .break(let isPaid):
      guard worked != nil else { return }
      breakSeconds += seconds
      if !isPaid { unpaidBreakSeconds += seconds }
    case .outside:
      guard done != nil else { return }
      outsideSeconds += seconds
    }
  }

  private mutating func add(_ seconds: Int64, _ project: ProjectID?, _ task: TaskID?, on date: LocalDate) {
    days[place(of: date)].projects[project, default: 0] += seconds
    tasks[task, default: 0] += seconds
  }

  private func place(of date: LocalDate) -> Int {
    Int(date.daysSince1970) - Int(days[0].date.daysSince1970)
  }
}
