/// The public id of pay rules.
package typealias PayRulesID = Identifier<DatedPayRules>

/// The pay rules of an organization from one date on, until the next ones'.
package struct DatedPayRules: ShapedRecord {
  package var head: Head<DatedPayRules>
  /// The first date; an organization has one of these from it.
  package var from = LocalDate.earliest
  package var breakRules: [BreakRule] = []
  package var breakMinimumSeconds = Policy.standardBreakMinimum
  package var dailyOvertimeSeconds: Int64?
  package var weeklyOvertimeSeconds: Int64?
  package var weekStart = Weekday.monday

  package init(head: Head<DatedPayRules>) {
    self.head = head
  }

  package static let shape = Shape<DatedPayRules>(
    .payRules, list: "payRules", readers: .managers,
    fields: [
      .date("from", \.from, column: "from_date"),
      .breakRules("breakRules", \.breakRules, onCreate: .optional) {
        try $0.validate()
        return $0
      },
      .number("breakMinimumSeconds", \.breakMinimumSeconds, onCreate: .optional) {
        try Policy.Bounds.breakMinimumSeconds.requirePolicy("breakMinimumSeconds", $0)
      },
      .optionalNumber("dailyOvertimeAfter", \.dailyOvertimeSeconds) {
        try Policy.Bounds.dailyOvertimeSeconds.requirePolicy("dailyOvertimeAfter", $0)
      },
      .optionalNumber("weeklyOvertimeAfter", \.weeklyOvertimeSeconds) {
        try Policy.Bounds.weeklyOvertimeSeconds.requirePolicy("weeklyOvertimeAfter", $0)
      },
      .choice("weekStart", \.weekStart, onCreate: .optional),
    ])

  package var rules: PayRules {
    PayRules(
      breakRules: breakRules, breakMinimumSeconds: breakMinimumSeconds,
      dailyOvertimeSeconds: dailyOvertimeSeconds, weeklyOvertimeSeconds: weeklyOvertimeSeconds,
      weekStart: weekStart)
  }

  package static let limit = RecordLimit(100, orThrow: .tooManyPayRules)

  /// Refuses a first date on which no week begins.
  ///
  /// - Throws: `.invalidPolicy`.
  package func validate() throws {
    guard from.weekday == weekStart else {
      throw TimeclockError.invalidPolicy("from", "must be a \(weekStart.rawValue), as weekStart says")
    }
  }
}

extension ClosedRange<Int64> {
  /// A number of a policy within its bounds.
  ///
  /// - Parameter name: As in the contract.
  /// - Throws: `TimeclockError.invalidPolicy`.
  func requirePolicy(_ name: String, _ number: Int64) throws -> Int64 {
    guard contains(number) else {
      throw TimeclockError.invalidPolicy(name, "must be from \(lowerBound) to \(upperBound)")
    }
    return number
  }
}

extension TimeclockError {
  package static let payRulesExist = TimeclockError.plain(
    PlainRefusal(
      "pay_rules_exist", against: .state,
      "The organization has pay rules from this date already. Change those, or delete them first."))

  package static let tooManyPayRules = TimeclockError.plain(
    PlainRefusal(
      "too_many_pay_rules", against: .state, "An organization has at most 100 pay rules. Delete some first."))
}
