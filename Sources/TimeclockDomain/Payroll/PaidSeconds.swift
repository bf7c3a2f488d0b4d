/// The paid seconds of members by their own dates, as reports count them.
package struct PaidSeconds: Sendable {
  /// Nil if no date counts.
  private let calculation: ReportCalculation?
  /// The span of the entries to read; nil if no date has any time.
  package let span: (start: Instant, end: Instant)?
  /// Whether all entries of a shift are to be read.
  package let needsWholeShifts: Bool

  /// - Parameters:
  ///   - schedules: Those of the members whose work is to be added up.
  ///   - others: The schedule of all members that `schedules` lacks.
  ///   - first: The first date that counts; none does if `last` is before it.
  ///   - rules: Those about breaks count, and those about overtime if it is asked for.
  ///   - countsOvertime: Whether `overtime` is asked for.
  ///   - asOf: The instant to which active entries count.
  package init(
    by schedules: [UserKey: Schedule], others: Schedule, from first: LocalDate, through last: LocalDate,
    rules: PayRulesCalendar, countsOvertime: Bool = false, asOf: Instant
  ) {
    let rules = countsOvertime ? rules : rules.withoutOvertime
    needsWholeShifts = rules.hasBreakRules
    guard first <= last else {
      (calculation, span) = (nil, nil)
      return
    }
    let dates = ReportDates(
      of: schedules, others: others, from: rules.firstDate(neededBy: first), through: last)
    calculation = ReportCalculation(
      dates: dates,
      frame: ReportFrame(
        startDate: first, endDate: last, timeZone: others.organizationZone.identifier, attribution: .split,
        asOf: asOf), rules: rules)
    span = dates.span
  }

  /// The seconds of each member with work, by date, each date once.
  package func byMember(in time: WorkedTime) -> [UserKey: [DatedSeconds]] {
    var paid: [UserKey: [DatedSeconds]] = [:]
    var owner: UserKey?
    var dates: [DatedSeconds] = []
    for slice in calculation?.slices(of: time, ReportSegments(time.segments)) ?? [] {
      let user = time.entries[slice.entry].user
      if user != owner {
        if let owner { paid[owner] = dates }
        owner = user
        dates.removeAll(keepingCapacity: true)
      }
      if let last = dates.last, last.date == slice.date {
        dates[dates.count - 1].seconds += slice.paidSeconds
      } else {
        dates.append(DatedSeconds(date: slice.date, seconds: slice.paidSeconds))
      }
    }
    if let owner { paid[owner] = dates }
    return paid
  }

  /// The seconds of all members' dates that are overtime, of the date and of the week; 0 where the rules have none.
  package func overtime(
    on dates: ClosedRange<LocalDate>, in time: WorkedTime
  ) -> (daily: Int64, weekly: Int64) {
    guard let calculation, calculation.rules.hasOvertime else { return (0, 0) }
    let slices = calculation.slices(of: time, ReportSegments(time.segments)).lazy.filter {
      dates.contains($0.date)
    }
    return slices.reduce((0, 0)) {
      ($0.daily + $1.dailyOvertimeSeconds, $0.weekly + $1.weeklyOvertimeSeconds)
    }
  }
}
