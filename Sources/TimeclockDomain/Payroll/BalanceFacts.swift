/// All that the balances of members depend on beside their work.
package struct BalanceFacts: Sendable {
  /// Of the members who have one.
  package var schedules: [UserKey: Schedule]
  /// By the storage's row of their calendar.
  package var holidays: [Int64: Holidays]
  package var absences: [UserKey: [AbsenceRow]]
  package var adjustments: [UserKey: [DatedSeconds]]

  package init(
    schedules: [UserKey: Schedule], holidays: [Int64: Holidays] = [:],
    absences: [UserKey: [AbsenceRow]] = [:], adjustments: [UserKey: [DatedSeconds]] = [:]
  ) {
    self.schedules = schedules
    self.holidays = holidays
    self.absences = absences
    self.adjustments = adjustments
  }

  /// The balance of a member; nil without a schedule.
  ///
  /// - Parameter paid: The member's paid seconds, by date.
  func balance(of user: UserKey, paid: [DatedSeconds]) -> MemberBalance? {
    guard let schedule = schedules[user] else { return nil }
    return MemberBalance(
      schedule: schedule, holidays: holidays, absences: absences[user] ?? [], paid: paid,
      adjustments: adjustments[user] ?? [])
  }
}
