import Procedures
import StorageCalls
import Testing
import TimeclockDomain

/// The catalogue that tests of every method go through.
@Suite("The calls of a storage's methods")
struct StorageCallTests {
  @Test("name every method of the protocol, and each once")
  func names() throws {
    let names = try StorageRequirements.names()
    #expect(names.count > 50)
    #expect(StorageCalls.all.map(\.name).sorted() == names.sorted())
  }

  @Test("are for the most part procedures, so that a storage implements at most 50 methods")
  func required() throws {
    #expect(try StorageRequirements.required().count + 3 <= 50)
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
    "call just the method that they name, or read or write as the procedure that they name, and work for one of them",
    arguments: StorageFactory.all)
  func works(_ factory: StorageFactory) async throws {
    let pass = try await CallPass.of(factory)
    #expect(pass.unexpected == [])
    #expect(Set(StorageCalls.whileOpen.map(\.name)).subtracting(pass.working) == [])
  }

  /// Otherwise calls of a kind that nothing is prepared of would pass every test of isolation and of plans.
  @Test(
    "find what every organization is prepared with if they read an organization's rows",
    arguments: StorageFactory.all)
  func finds(_ factory: StorageFactory) async throws {
    let reading = StorageCalls.whileOpen.filter { $0.kind == .reads && $0.scope == .organization }
    #expect(Set(reading.map(\.name)).subtracting(try await CallPass.of(factory).finding) == [])
  }

  @Test("close the storage if they are to close it", arguments: StorageFactory.all)
  func closing(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await PreparedOrganization.make("Acme", in: world.storage)
      let called = CalledMethods()
      let storage = world.storage.keptOpen().noting(in: called)
      let closing = StorageCalls.all.filter { method in
        !StorageCalls.whileOpen.contains { $0.name == method.name }
      }
      for call in closing.flatMap(\.calls) { _ = try await call.answer(organization, in: storage) }
      #expect(called.names == ["close()"])
    }
  }

  @Test(
    "change what an organization shows of itself if they write",
    arguments: StorageFactory.all)
  func kinds(_ factory: StorageFactory) async throws {
    let writing = StorageCalls.whileOpen.filter { $0.kind == .writes && $0.scope == .organization }
    // Nobody is shown which webhooks rest.
    #expect(
      Set(writing.map(\.name)).subtracting(try await CallPass.of(factory).changing)
        == ["restIdleWebhooks(of:at:)"])
  }

  @Test("change nothing if they read", arguments: StorageFactory.all)
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
    var passes: [CallPass] = []
    for factory in StorageFactory.all { passes.append(try await CallPass.of(factory)) }
    let first = try #require(passes.first)
    for other in passes {
      #expect(other.answers.count == first.answers.count)
      for (expected, found) in zip(first.answers, other.answers) { #expect(found == expected) }
    }
  }
}

extension Storage {
  /// The storage, which stays open when this is closed.
  fileprivate func keptOpen() -> any Storage { OpenStorage(base: self) }
}

private struct OpenStorage<Base: Storage>: StorageInFront {
  let base: Base

  func enter(_ method: String) {}

  func close() async {}
}
