/// The values that somebody states for fields of a record, each with the rule that it has to meet.
package struct Stated<Record: Sendable>: Sendable {
  /// Puts values that have met their rules into a record.
  package typealias Assignment = @Sendable (inout Record) -> Void

  private var values: [@Sendable () throws -> Assignment] = []
  private var names: Set<String> = []

  package init() {}

  /// Values that need no rule.
  package init(_ assignment: @escaping Assignment) {
    values = [{ assignment }]
  }

  /// Adds a value for the place of a field; nil for null.
  package mutating func state<Value>(
    _ field: ShapeField<Record>, _ place: ShapeField<Record>.Place<Value>, _ value: Value?
  ) {
    names.insert("\(field.name)")
    values.append {
      let kept = try value.flatMap(place.rule)
      return { place.put(kept, into: &$0) }
    }
  }

  /// Adds a value that is made of several members of a body, for the place of a field.
  ///
  /// - Parameter make: Makes it, or throws the refusal.
  package mutating func state<Value>(
    _ path: WritableKeyPath<Record, Value> & Sendable, _ make: @escaping @Sendable () throws -> Value
  ) where Value: Sendable {
    values.append {
      let value = try make()
      return { $0[keyPath: path] = value }
    }
  }

  /// Whether a field has a value, null included.
  package func states(_ name: String) -> Bool { names.contains(name) }

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
