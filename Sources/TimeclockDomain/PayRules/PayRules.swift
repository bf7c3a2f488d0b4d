/// The rules by which the working time of a date is paid.
package struct PayRules: Hashable, Sendable {
  /// The unpaid breaks of long shifts, by rising `afterSeconds`; none is asked for if there is no rule.
  package var breakRules: [BreakRule]
  /// The shortest stretch without paid work, in seconds, that counts towards a rule.
  package var breakMinimumSeconds: Int64
  /// The seconds of one date beyond which work is overtime; nil if it never is by the day.
  package var dailyOvertimeSeconds: Int64?
  /// The seconds of one week, daily overtime left out, beyond which work is overtime; nil if it never is by the week.
  package var weeklyOvertimeSeconds: Int64?
  /// The day on which weeks begin.
  package var weekStart: Weekday

  package init(
    breakRules: [BreakRule] = [], breakMinimumSeconds: Int64 = Policy.standardBreakMinimum,
    dailyOvertimeSeconds: Int64? = nil, weeklyOvertimeSeconds: Int64? = nil, weekStart: Weekday = .monday
  ) {
    self.breakRules = breakRules
    self.breakMinimumSeconds = breakMinimumSeconds
    self.dailyOvertimeSeconds = dailyOvertimeSeconds
    self.weeklyOvertimeSeconds = weeklyOvertimeSeconds
    self.weekStart = weekStart
  }
}

extension Policy {
  /// The rules of dates before the organization's first dated ones.
  package var payRules: PayRules {
    PayRules(
      breakRules: breakRules, breakMinimumSeconds: breakMinimumSeconds,
      dailyOvertimeSeconds: dailyOvertimeSeconds, weeklyOvertimeSeconds: weeklyOvertimeSeconds,
      weekStart: weekStart)
  }
}
