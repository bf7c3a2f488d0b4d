/// Something about a member's dates to look at before they are approved. It blocks nothing.
package struct OpenPoint: Hashable, Sendable {
  /// The reason to look, as the contract names it, in the order of the points of a date.
  package enum Code: String, CaseIterable, Sendable {
    /// Something is owed, and nothing is paid.
    case missingDay = "missing_day"
    case breakMissing = "break_missing"
    case autoClosed = "auto_closed"
    /// A correction awaits a decision.
    case openCorrection = "open_correction"
    /// An absence awaits a decision.
    case requestedAbsence = "requested_absence"
  }

  package let code: Code
  package let date: LocalDate
  /// Nil for a point that is about no entry.
  package let timeEntryID: TimeEntryID?

  package init(_ code: Code, on date: LocalDate, timeEntryID: TimeEntryID? = nil) {
    self.code = code
    self.date = date
    self.timeEntryID = timeEntryID
  }

  /// The most dates of one member that are looked at.
  package static let maximumDates = 366
  /// The most points of one member.
  package static let maximumCount = 500
}

/// The dates of a member in which open points are looked for, the last `OpenPoint.maximumDates` of them.
package struct OpenDates: Sendable {
  private let schedule: Schedule
  package let dates: ClosedRange<LocalDate>

  /// Those that are submitted and not approved; without such, those that are over and not approved.
  ///
  /// - Returns: Nil for none.
  package init?(of schedule: Schedule, _ marks: PeriodDates, at now: Instant) {
    let approved = marks.approved ?? .earliest
    let isSubmitted = marks.submitted.map { $0 > approved } ?? false
    let last = (isSubmitted ? marks.submitted : nil) ?? schedule.lastCountedDate(at: now)
    let first = max(
      marks.approved?.adding(days: 1) ?? .earliest, last.adding(days: 1 - OpenPoint.maximumDates))
    guard first <= last else { return nil }
    self.schedule = schedule
    dates = first...last
  }

  /// The points, by their dates; of too many the earliest.
  ///
  /// - Parameters:
  ///   - facts: Those of the member.
  ///   - report: The hours of these dates, by day, each as the member's schedule counts it.
  ///   - requests: The absences that await a decision.
  ///   - corrections: The corrections that do, of any dates.
  package func points(
    _ facts: BalanceFacts, of user: UserKey, _ report: HoursReport, _ requests: [Absence],
    _ corrections: [OpenCorrection]
  ) -> [OpenPoint] {
    var points = requests.map { OpenPoint(.requestedAbsence, on: max($0.startDate, dates.lowerBound)) }
    for correction in corrections {
      let date = schedule.date(of: correction.start)
      guard dates.contains(date) else { continue }
      points.append(OpenPoint(.openCorrection, on: date, timeEntryID: correction.timeEntryID))
    }
    let paid = report.rows.compactMap { row -> DatedSeconds? in
      guard case .day(let date)? = row.dimensions.first else { return nil }
      return DatedSeconds(date: date, seconds: row.figures.paidSeconds)
    }
    if let balance = facts.balance(of: user, paid: paid) {
      for day in balance.days(from: dates.lowerBound, through: dates.upperBound)
      where day.sums.target > 0 && day.sums.paid == 0 {
        points.append(OpenPoint(.missingDay, on: day.date))
      }
    }
    for anomaly in report.anomalies {
      let date = max(schedule.date(of: anomaly.clockIn), dates.lowerBound)
      for (anomalyCode, code) in [(.breakMissing, .breakMissing), (.autoClosed, .autoClosed)]
        as [(ReportAnomaly.Code, OpenPoint.Code)] where anomaly.has(anomalyCode)
      {
        points.append(OpenPoint(code, on: date, timeEntryID: anomaly.id))
      }
    }
    let order = Dictionary(
      uniqueKeysWithValues: zip(OpenPoint.Code.allCases, OpenPoint.Code.allCases.indices))
    return Array(
      points.sorted { one, other in
        (one.date, order[one.code] ?? 0, one.timeEntryID?.text ?? "")
          < (other.date, order[other.code] ?? 0, other.timeEntryID?.text ?? "")
      }.prefix(OpenPoint.maximumCount))
  }
}

/// A correction that awaits a decision, as open points need it.
package struct OpenCorrection: Hashable, Sendable {
  /// Nil of an entry to add.
  package let timeEntryID: TimeEntryID?
  /// The start of the entry as it is, or of the one to add.
  package let start: Instant

  package init(timeEntryID: TimeEntryID?, start: Instant) {
    self.timeEntryID = timeEntryID
    self.start = start
  }
}

/// A member's marks, with the open points of the dates that are to be approved next, and the last dates that were.
package struct ReviewedPeriod: Hashable, Sendable {
  package let state: PeriodState
  package let openPoints: [OpenPoint]
  /// The approval that stands through the last approved date; nil if none does.
  package let approval: Approval?

  /// - Parameter approval: One that stood shortly before; it is left out if it does not end with the marks.
  package init(_ state: PeriodState, _ openPoints: [OpenPoint], _ approval: Approval?) {
    self.state = state
    self.openPoints = openPoints
    self.approval = approval.flatMap { $0.through == state.ends.approved?.through ? $0 : nil }
  }
}
