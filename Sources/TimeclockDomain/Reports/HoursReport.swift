/// The hours that members worked: sums of whole seconds, each cut once, so that the rows of every grouping have the
/// same total.
package struct HoursReport: Sendable {
  package var frame: ReportFrame
  package var rounding: ReportRounding?
  /// The dimensions by which the rows divide time.
  package var groupBy: [ReportDimension]
  /// Sorted by their dimensions, in the order of `groupBy`.
  package var rows: [ReportRow]
  package var totals: ReportFigures
  /// Of all anomalies, listed or not, those of each code that occurs.
  package var anomalyCounts: [ReportAnomalyCount]
  /// Those that the request asks for, the earliest start first.
  package var anomalies: [ReportAnomaly]
  /// The approvals that differ now, if the request asks for them.
  package var differences: [ApprovalDifference]

  package init(
    frame: ReportFrame, rounding: ReportRounding?, groupBy: [ReportDimension], rows: [ReportRow],
    totals: ReportFigures, anomalyCounts: [ReportAnomalyCount], anomalies: [ReportAnomaly],
    differences: [ApprovalDifference]
  ) {
    self.frame = frame
    self.rounding = rounding
    self.groupBy = groupBy
    self.rows = rows
    self.totals = totals
    self.anomalyCounts = anomalyCounts
    self.anomalies = anomalies
    self.differences = differences
  }
}

/// The range of a report and its way of counting.
package struct ReportFrame: Hashable, Sendable {
  package var startDate: LocalDate
  package var endDate: LocalDate
  /// The zone of the dates, or the organization's if they are each member's own.
  package var timeZone: TimeZoneIdentifier
  /// Whether each member's time counts for that member's own dates.
  package var isByMember: Bool
  package var attribution: ReportAttribution
  package var asOf: Instant

  package init(
    startDate: LocalDate, endDate: LocalDate, timeZone: TimeZoneIdentifier, isByMember: Bool = false,
    attribution: ReportAttribution, asOf: Instant
  ) {
    self.startDate = startDate
    self.endDate = endDate
    self.timeZone = timeZone
    self.isByMember = isByMember
    self.attribution = attribution
    self.asOf = asOf
  }

  /// The zone of the dates, or the word for each member's own.
  package var zoneName: String { isByMember ? CountingZone.payroll.rawValue : timeZone.name }
}

/// One row: the time that has all its dimensions.
package struct ReportRow: Sendable {
  package var dimensions: [ReportValue]
  package var figures: ReportFigures
}

/// The value of a row in a dimension.
package enum ReportValue: Hashable, Sendable {
  case user(ReportedPerson)
  /// Nil for members of no group.
  case group(ReportedGroup?)
  case day(LocalDate)
  case week(ISOWeek)
  case month(year: Int, month: Int)
  /// Nil for time that belongs to no session.
  case session(ReportedSession?)
  case status(TimeEntryStatus)
  case source(TimeEntrySource)
  /// Nil for time that was for none, breaks among it.
  case project(ReportedProject?)
  /// Nil for time that was for no project of a client, breaks among it.
  case client(String?)
  /// Nil for time that was for none, breaks among it.
  case task(ReportedTask?)
  case kind(ReportedKind)
  case approval(PeriodState.Word)
}

/// Sums of some time.
package struct ReportFigures: Hashable, Sendable {
  /// All time, breaks included.
  package var seconds: Int64 = 0
  /// The part of `seconds` that was breaks, paid ones included.
  package var breakSeconds: Int64 = 0
  package var unpaidBreakSeconds: Int64 = 0
  /// The part of `seconds` that breaks would have taken that the policy asks for.
  package var deductedBreakSeconds: Int64 = 0
  /// `paidSeconds` as the report rounds them; 0 if it does not.
  package var roundedSeconds: Int64 = 0
  /// The part of `paidSeconds` beyond the policy's limit of its date.
  package var dailyOvertimeSeconds: Int64 = 0
  /// The part of `paidSeconds` without daily overtime beyond the policy's limit of its week.
  package var weeklyOvertimeSeconds: Int64 = 0
  /// The number of different entries.
  package var entries: Int64 = 0
  /// The number of dates on which somebody worked, each person's counted.
  package var daysWorked: Int64 = 0
  /// The earliest start.
  package var firstIn: Instant?
  /// The latest end; nil if that is a still active entry's.
  package var lastOut: Instant?

  package var paidSeconds: Int64 { seconds - unpaidBreakSeconds - deductedBreakSeconds }
  /// The part of `paidSeconds` that is no overtime.
  package var regularSeconds: Int64 { paidSeconds - dailyOvertimeSeconds - weeklyOvertimeSeconds }
}

/// An entry in a report that somebody should look at.
package struct ReportAnomaly: Hashable, Sendable {
  package var id: TimeEntryID
  package var person: ReportedPerson
  package var clockIn: Instant
  package var clockOut: Instant?
  /// Whole seconds of the entry, to the report's `asOf` if it is active.
  package var seconds: Int64
  package var flags: TimeEntryFlags
  /// Whether it is active for longer than the policy's maximum.
  package var isOpenTooLong: Bool
  /// Whether the policy's break rules deduct something of it on a date of the report.
  package var lacksBreak: Bool
  /// Whether a break of it is longer than the type of the break expects.
  package var hasLongBreak: Bool
  /// Whether the member objects to a change of it that somebody else has made.
  package var isObjected: Bool

  package init(
    id: TimeEntryID, person: ReportedPerson, clockIn: Instant, clockOut: Instant?, seconds: Int64,
    flags: TimeEntryFlags, isOpenTooLong: Bool, lacksBreak: Bool, hasLongBreak: Bool, isObjected: Bool
  ) {
    self.id = id
    self.person = person
    self.clockIn = clockIn
    self.clockOut = clockOut
    self.seconds = seconds
    self.flags = flags
    self.isOpenTooLong = isOpenTooLong
    self.lacksBreak = lacksBreak
    self.hasLongBreak = hasLongBreak
    self.isObjected = isObjected
  }

  /// A reason to look at an entry or an approval, as the contract names it, in the contract's order.
  package enum Code: String, CaseIterable, Sendable {
    case openTooLong = "open_too_long"
    case breakMissing = "break_missing"
    case breakTooLong = "break_too_long"
    case underMinimum = "under_minimum"
    case overMaximum = "over_maximum"
    case autoClosed = "auto_closed"
    case objected
    /// Of an approval, and of no entry.
    case differsFromApproved = "differs_from_approved"
  }

  /// Whether this is a reason to look at the entry.
  package func has(_ code: Code) -> Bool {
    switch code {
    case .openTooLong: isOpenTooLong
    case .breakMissing: lacksBreak
    case .breakTooLong: hasLongBreak
    case .underMinimum: flags.contains(.underMinimum)
    case .overMaximum: flags.contains(.overMaximum)
    case .autoClosed: flags.contains(.autoClosed)
    case .objected: isObjected
    case .differsFromApproved: false
    }
  }
}

/// The number of a report's anomalies that have a code.
package struct ReportAnomalyCount: Hashable, Sendable {
  package var code: ReportAnomaly.Code
  /// The entries, or the approvals, that have it. Never 0.
  package var entries: Int

  /// Those of each code that occurs, in the order of the codes.
  package static func counts(
    of anomalies: [ReportAnomaly], _ differences: [ApprovalDifference]
  ) -> [ReportAnomalyCount] {
    ReportAnomaly.Code.allCases.compactMap { code in
      let entries =
        code == .differsFromApproved ? differences.count : anomalies.count { $0.has(code) }
      return entries == 0 ? nil : ReportAnomalyCount(code: code, entries: entries)
    }
  }
}
