import Procedures
import StorageCalls
import Testing

/// The outcomes of the calls of all methods but `close()`, each made once in a storage. Several tests look at them.
struct CallPass: Sendable {
  /// The calls that need something of the storage that their methods do not say.
  private(set) var unexpected: [String] = []
  /// The methods of which a call is not refused.
  private(set) var working: Set<String> = []
  /// The methods of which a call answers something.
  private(set) var finding: Set<String> = []
  /// The methods of which a call changes what its organization shows.
  private(set) var changing: Set<String> = []
  /// The calls with their answers, which are the same for every storage.
  private(set) var answers: [String] = []

  private static let all = Dictionary(
    uniqueKeysWithValues: StorageFactory.all.map { factory in
      (
        factory.name,
        Task {
          var pass = CallPass()
          try await factory.run { try await pass.make(in: $0.storage) }
          return pass
        }
      )
    })

  /// The pass in a storage of this kind. It is made once.
  ///
  /// - Throws: An error of a call that is no refusal.
  static func of(_ factory: StorageFactory) async throws -> CallPass {
    try await #require(all[factory.name]).value
  }

  private mutating func make(in storage: any Storage) async throws {
    let required = try StorageRequirements.required()
    try await StorageCalls.forEachCall(in: storage) { method, call, organization in
      let mayChange =
        method.kind == .writes && method.scope == .organization && !changing.contains(method.name)
      let before = mayChange ? await StorageCalls.state(of: organization, in: storage) : []
      let called = CalledMethods()
      let answer = try await call.answerOrRefusal(organization, in: storage.noting(in: called))
      if !answer.hasPrefix("refused") { working.insert(method.name) }
      if !["none", "[]", "([] none)"].contains(answer) { finding.insert(method.name) }
      if !Self.isExpected(called.names, of: method, required) {
        unexpected.append("\(call.name): \(called.names)")
      }
      // Some storages seal a change a moment after its commit.
      if method.name != "unsealedChanges(of:)" { answers.append("\(call.name): \(answer)") }
      guard mayChange, await StorageCalls.state(of: organization, in: storage) != before else { return }
      changing.insert(method.name)
    }
  }

  /// Whether the calls are the method itself, maybe after the row of a group was looked up for it, or for a procedure those of
  /// its kind.
  private static func isExpected(_ called: [String], of method: StorageMethod, _ required: [String]) -> Bool {
    guard !required.contains(method.name) else {
      return called.filter { $0 != "read(_:_:in:limit:_:)" || $0 == method.name } == [method.name]
    }
    let kinds = Set(called.map(StorageCalls.kind))
    return method.kind == .reads ? kinds == [.reads] : kinds.contains(.writes)
  }
}
