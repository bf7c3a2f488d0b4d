import Testing

@testable import ContractDocument

/// One case of the contract suite: calls and the expected answers.
struct Scenario: Sendable, CustomTestStringConvertible {
  /// A sentence that states the rule.
  var name: String
  var run: @Sendable (World) async throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (World) async throws -> Void) {
    self.name = name
    self.run = run
  }

  var testDescription: String { name }

  /// The whole suite: the cases that are written by hand, and those that are generated from the document.
  static func all(for document: OpenAPIDocument) -> [Scenario] {
    Fixture.all.flatMap(\.scenarios) + document.operations.flatMap { generated(for: $0) }
  }

  private static func generated(for operation: Operation) -> [Scenario] {
    [parameters(of: operation), bodies(of: operation)] + access(to: operation)
      + authorization(of: operation)
      + repetitions(of: operation) + isolation(of: operation) + sight(of: operation) + faults(of: operation)
      + rateLimits(of: operation)
  }
}
