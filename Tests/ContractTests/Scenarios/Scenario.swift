import Testing

/// One case of the contract suite: what to call and what must come of it.
struct Scenario: Sendable, CustomTestStringConvertible {
  /// A sentence that says what holds.
  var name: String
  var run: @Sendable (World) async throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (World) async throws -> Void) {
    self.name = name
    self.run = run
  }

  var testDescription: String { name }

  /// The whole suite: what is written by hand, and what is generated from the document.
  static func all(for document: OpenAPIDocument) -> [Scenario] {
    Fixture.all.flatMap(\.scenarios) + document.operations.flatMap { generated(for: $0) }
  }

  private static func generated(for operation: Operation) -> [Scenario] {
    [success(of: operation), parameters(of: operation)] + bodies(of: operation) + access(to: operation)
      + authorization(of: operation)
      + repetitions(of: operation) + isolation(of: operation) + faults(of: operation)
      + rateLimits(of: operation)
  }
}
