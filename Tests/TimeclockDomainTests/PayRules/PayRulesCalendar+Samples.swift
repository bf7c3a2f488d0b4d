import TimeclockDomain

extension PayRulesCalendar {
  /// The rules of a policy for all dates.
  init(_ policy: Policy) {
    self.init(before: policy.payRules)
  }

  static let standard = PayRulesCalendar(Policy.standard)
}
