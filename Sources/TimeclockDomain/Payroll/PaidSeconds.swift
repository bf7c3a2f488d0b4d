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
  ///   - policy: Its rules about breaks count.
  ///   - asOf: The instant to which active entries count.
  package init(
    by schedules: [UserKey: Schedule], others: Schedule, from first: LocalDate, through last: LocalDate,
    policy: Policy, asOf: Instant
  ) {
    needsWholeShifts = !policy.breakRules.isEmpty
    guard first <= last else {
      (calculation, span) = (nil, nil)
      return
    }
    var policy = policy
    (policy.dailyOvertimeSeconds, policy.weeklyOvertimeSeconds) = (nil, nil)
    let dates = ReportDates(of: schedules, others: others, from: first, through: last)
    calculation = ReportCalculation(
      dates: dates,
      frame: ReportFrame(
        startDate: first, endDate: last, timeZone: others.organizationZone.identifier, attribution: .split,
        asOf: asOf), policy: policy)
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
}
