import HTTPMessages
import TimeclockDomain

extension ObjectReader {
  /// Reads a member that is a list of rules about breaks.
  func breakRules(_ name: String) -> [BreakRule] {
    objects(name, count: 0...BreakRule.limit, Self.breakRule)
  }

  func optionalBreakRules(_ name: String) -> [BreakRule]? {
    optionalObjects(name, atMost: BreakRule.limit, Self.breakRule)
  }

  private static func breakRule(_ rule: ObjectReader) -> BreakRule {
    BreakRule(afterSeconds: rule.integer("afterSeconds"), breakSeconds: rule.integer("breakSeconds"))
  }
}

extension JSONWriter {
  /// Writes a rule about breaks as the contract has it.
  mutating func breakRule(_ rule: BreakRule) {
    object { writer in
      writer.member("afterSeconds", rule.afterSeconds)
      writer.member("breakSeconds", rule.breakSeconds)
    }
  }
}
