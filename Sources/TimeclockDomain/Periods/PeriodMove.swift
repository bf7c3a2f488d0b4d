/// An act on a member's marks, as its operation asks for it.
package enum PeriodMove: Hashable, Sendable {
  case submit(through: LocalDate)
  /// Takes back what is submitted and not approved; a rejection too.
  case withdraw
  case approve(through: LocalDate, includesUnsubmitted: Bool)
  /// Takes back approvals, and what is submitted behind them.
  ///
  /// - Parameter through: The last date that stays approved; nil for none.
  case reopen(through: LocalDate?)
  case lock(through: LocalDate, includesUnapproved: Bool)
  /// - Parameter through: The last date that stays locked; nil for none.
  case unlock(through: LocalDate?)

  /// The date through which a mark is to move up; nil if marks only move back.
  package var raised: LocalDate? {
    switch self {
    case .submit(let through), .approve(let through, _), .lock(let through, _): through
    case .withdraw, .reopen, .unlock: nil
    }
  }

  /// The dates of the marks afterwards; the same if nothing is to be moved.
  ///
  /// - Throws: `.notSubmitted`, `.notApproved`, `.periodLocked`.
  package func applied(to dates: PeriodDates) throws -> PeriodDates {
    var dates = dates
    switch self {
    case .submit(let through):
      dates.submitted = later(dates.submitted, through)
    case .withdraw:
      guard dates.submitted != dates.approved else { throw TimeclockError.notSubmitted }
      dates.submitted = dates.approved
    case .approve(let through, let includesUnsubmitted):
      guard !covers(dates.approved, through) else { return dates }
      guard includesUnsubmitted || covers(dates.submitted, through) else { throw TimeclockError.notSubmitted }
      dates.submitted = later(dates.submitted, through)
      dates.approved = through
    case .reopen(let through):
      guard let approved = dates.approved, through.map({ $0 < approved }) ?? true else {
        throw TimeclockError.notApproved
      }
      if let locked = dates.locked, !covers(through, locked) {
        throw TimeclockError.periodLocked(PeriodMark(.locked, through: locked), count: nil)
      }
      (dates.submitted, dates.approved) = (through, through)
    case .lock(let through, let includesUnapproved):
      guard !covers(dates.locked, through) else { return dates }
      guard includesUnapproved || covers(dates.approved, through) else { throw TimeclockError.notApproved }
      dates.submitted = later(dates.submitted, through)
      dates.approved = later(dates.approved, through)
      dates.locked = through
    case .unlock(let through):
      guard let locked = dates.locked, through.map({ $0 < locked }) ?? true else { return dates }
      dates.locked = through
    }
    return dates
  }

  private func covers(_ mark: LocalDate?, _ date: LocalDate) -> Bool { mark.map { $0 >= date } ?? false }

  private func later(_ mark: LocalDate?, _ date: LocalDate) -> LocalDate {
    mark.map { max($0, date) } ?? date
  }
}
