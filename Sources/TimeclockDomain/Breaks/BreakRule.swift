/// A rule of how much unpaid break a long shift has. Reports deduct the rest of a shift that has less; nothing is written.
package struct BreakRule: Hashable, Sendable {
  /// The seconds of work in one shift, breaks left out, beyond which the rule applies.
  package var afterSeconds: Int64
  /// The seconds of unpaid breaks, and of time between entries, that such a shift has.
  package var breakSeconds: Int64

  package init(afterSeconds: Int64, breakSeconds: Int64) {
    self.afterSeconds = afterSeconds
    self.breakSeconds = breakSeconds
  }

  /// The most rules of one organization.
  package static let limit = 5
  /// The values that either number may have.
  package static let bounds: ClosedRange<Int64> = 0...86_400
}

extension [BreakRule] {
  /// The rules as databases keep them: `21600:1800 32400:2700`.
  package var stored: String {
    map { "\($0.afterSeconds):\($0.breakSeconds)" }.joined(separator: " ")
  }

  /// The rules in a text that `stored` made; other parts of a text are left out.
  package init(stored: String) {
    self = stored.split(separator: " ").compactMap { rule in
      let numbers = rule.split(separator: ":").compactMap { Int64($0) }
      return numbers.count == 2 ? BreakRule(afterSeconds: numbers[0], breakSeconds: numbers[1]) : nil
    }
  }

  /// Checks every rule, and that each comes after less work than the next.
  ///
  /// - Throws: `TimeclockError.invalidPolicy`.
  func validate() throws {
    func refusal(_ detail: String) -> TimeclockError { .invalidPolicy("breakRules", detail) }
    guard count <= BreakRule.limit else { throw refusal("must have at most \(BreakRule.limit) rules") }
    for rule in self {
      for number in [rule.afterSeconds, rule.breakSeconds] where !BreakRule.bounds.contains(number) {
        let bounds = BreakRule.bounds
        throw refusal("must have seconds from \(bounds.lowerBound) to \(bounds.upperBound)")
      }
    }
    guard zip(self, dropFirst()).allSatisfy({ $0.afterSeconds < $1.afterSeconds }) else {
      throw refusal("must have rules in the order of their afterSeconds, each only once")
    }
  }
}
