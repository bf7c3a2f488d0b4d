/// The values that somebody states for fields of a record, each with the rule that it has to meet.
package struct Stated<Record: Sendable>: Sendable {
  /// Puts values that have met their rules into a record.
  package typealias Assignment = @Sendable (inout Record) -> Void

  private var values: [@Sendable () throws -> Assignment] = []

  package init() {}

  /// Values that need no rule.
  package init(_ assignment: @escaping Assignment) {
    values = [{ assignment }]
  }

  /// Adds a value.
  ///
  /// - Parameter kept: Asks the rule: throws a refusal, or returns the value to keep.
  package mutating func state<Value: Sendable>(
    _ place: ShapeField<Record>.Place<Value>, _ kept: @escaping @Sendable () throws -> Value
  ) {
    values.append {
      let value = try kept()
      return { $0[keyPath: place] = value }
    }
  }

  /// Asks all rules, in the order of the values.
  ///
  /// - Throws: The refusal of the first rule that is not met.
  package func validated() throws -> Assignment {
    let assignments = try values.map { try $0() }
    return { record in
      for assign in assignments { assign(&record) }
    }
  }
}
