import StorageCalls
import Testing
import TimeclockDomain

/// The catalogue that tests of every method go through.
@Suite("The calls of a storage's methods")
struct StorageCallTests {
  @Test("name every method of the protocol, and each once")
  func names() throws {
    let required = try StorageRequirements.names()
    #expect(required.count > 50)
    #expect(StorageCalls.all.map(\.name).sorted() == required.sorted())
  }

  @Test("are compared with a protocol's own methods and with those that it inherits")
  func requirements() throws {
    let source = """
      /// func left(out: Int)
      package protocol Whole: Part, Sendable,
        Other
      {
        /// func left(out: Int)
        func plain()
      }
      protocol Part {
        func one(_ first: [Int: Int], of second: (Int, Int), _ third: @escaping (inout Int) throws -> Void)
        func two<Value: Sendable>(
          value: Value, in place: Int
        ) async throws -> (key: Int, id: Int)
      }
      protocol Other: Sendable {
        func three(at: Int)
      }
      protocol Odd {
        var number: Int { get }
      }

      """
    #expect(
      try StorageRequirements.names(of: "Whole", in: source)
        == ["one(_:of:_:)", "two(value:in:)", "three(at:)", "plain()"])
    for name in ["Odd", "Absent"] {
      #expect(throws: StorageRequirements.Unreadable.self) {
        try StorageRequirements.names(of: name, in: source)
      }
    }
  }

  @Test(
    "call just the method that they name, which does its work for one of them",
    arguments: StorageFactory.all)
  func works(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      var working: Set<String> = []
      try await StorageCalls.forEachCall(in: world.storage) { method, call, organization in
        let storage = RecordingStorage(world.storage)
        do {
          _ = try await call.answer(organization, in: storage)
          working.insert(method.name)
        } catch is TimeclockError {
          // As the call's name says.
        }
        #expect(storage.calledMethods == [method.name], "\(call.name)")
      }
      #expect(Set(StorageCalls.whileOpen.map(\.name)).subtracting(working) == [])
    }
  }

  /// Otherwise calls of a kind that nothing is prepared of would pass every test of isolation and of plans.
  @Test(
    "find what every organization is prepared with where they read an organization's rows",
    arguments: StorageFactory.all)
  func finds(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      var finding: Set<String> = []
      try await StorageCalls.forEachCall(in: world.storage) { method, call, organization in
        let answer = await call.outcome(organization, in: world.storage)
        if !["none", "[]", "([] none)"].contains(answer) { finding.insert(method.name) }
      }
      let reading = StorageCalls.whileOpen.filter { $0.kind == .reads && $0.scope == .organization }
      #expect(Set(reading.map(\.name)).subtracting(finding) == [])
    }
  }

  @Test("close the storage where they close it", arguments: StorageFactory.all)
  func closing(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await PreparedOrganization.make("Acme", in: world.storage)
      let storage = RecordingStorage(OpenStorage(base: world.storage))
      let closing = StorageCalls.all.filter { method in
        !StorageCalls.whileOpen.contains { $0.name == method.name }
      }
      for call in closing.flatMap(\.calls) { _ = try await call.answer(organization, in: storage) }
      #expect(storage.calledMethods == ["close()"])
    }
  }

  @Test(
    "change what an organization shows of itself where they write",
    arguments: StorageFactory.all)
  func kinds(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      var states: [OrganizationID: [String]] = [:]
      var changing: Set<String> = []
      try await StorageCalls.forEachCall(in: world.storage) { method, call, organization in
        guard method.scope == .organization else { return }
        if states[organization.id] == nil {
          states[organization.id] = await StorageCalls.state(of: organization, in: world.storage)
        }
        _ = await call.outcome(organization, in: world.storage)
        guard method.kind == .writes else { return }
        let after = await StorageCalls.state(of: organization, in: world.storage)
        if after != states[organization.id] { changing.insert(method.name) }
      }
      let writing = StorageCalls.whileOpen.filter { $0.kind == .writes && $0.scope == .organization }
      #expect(Set(writing.map(\.name)).subtracting(changing) == [])
    }
  }

  @Test("change nothing where they read", arguments: StorageFactory.all)
  func reads(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await PreparedOrganization.make("Acme", in: world.storage)
      let reading = StorageCalls.whileOpen.filter { $0.kind == .reads }
      for call in reading.flatMap(\.calls) { try await call.prepare(organization, in: world.storage) }
      let before = await StorageCalls.state(of: organization, in: world.storage)
      for call in reading.flatMap(\.calls) { _ = await call.outcome(organization, in: world.storage) }
      #expect(await StorageCalls.state(of: organization, in: world.storage) == before)
    }
  }

  @Test("are answered alike by every storage")
  func equalAnswers() async throws {
    var answers: [[String]] = []
    for factory in StorageFactory.all {
      try await factory.run { world in
        var lines: [String] = []
        try await StorageCalls.forEachCall(in: world.storage) { method, call, organization in
          // Some storages seal a change a moment after its commit.
          guard method.name != "unsealedChanges(of:)" else { return }
          lines.append("\(call.name): \(await call.outcome(organization, in: world.storage))")
        }
        answers.append(lines)
      }
    }
    let first = try #require(answers.first)
    for other in answers {
      for (expected, found) in zip(first, other) { #expect(found == expected) }
    }
  }
}

/// A storage that is not closed by whoever it is handed to.
private struct OpenStorage: StorageInFront {
  let base: any Storage

  func enter(_ method: String) {}

  func close() async {}
}
