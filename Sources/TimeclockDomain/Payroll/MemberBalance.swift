/// All that the balance of one member is computed from.
package struct MemberBalance: Sendable {
  package let schedule: Schedule
  /// By the storage's row of their calendar.
  package let holidays: [Int64: Holidays]
  /// Of every state, by their first dates.
  package let absences: [AbsenceRow]
  /// By date.
  package let paid: [DatedSeconds]
  /// By date.
  package let adjustments: [DatedSeconds]

  /// - Parameters:
  ///   - holidays: Those of every calendar that a row of the schedule names; one that is missing has no holidays.
  ///   - absences: In any order. Approved ones take their part of the plan, requested ones are reported beside
  ///     entitlements.
  ///   - paid: In any order, those of one date added up.
  ///   - adjustments: In any order, those of one date added up.
  package init(
    schedule: Schedule, holidays: [Int64: Holidays] = [:], absences: [AbsenceRow] = [],
    paid: [DatedSeconds] = [], adjustments: [DatedSeconds] = []
  ) {
    self.schedule = schedule
    self.holidays = holidays
    self.absences = absences.sorted { $0.first < $1.first }
    self.paid = paid.byDate()
    self.adjustments = adjustments.byDate()
  }

  /// The sums of each date from `first` through `last`, in their order. Dates before the first row of the schedule are
  /// left out: they have no plan.
  package func days(from first: LocalDate, through last: LocalDate) -> BalanceDays {
    days(from: first, through: last) { $0.state == .approved }
  }

  /// The same, with other absences that count.
  func days(
    from first: LocalDate, through last: LocalDate, counting isCounted: (AbsenceRow) -> Bool
  ) -> BalanceDays {
    let counted = absences.filter { $0.first <= last && $0.last >= first && isCounted($0) }
    return BalanceDays(self, absences: counted, from: first, through: last)
  }
}
