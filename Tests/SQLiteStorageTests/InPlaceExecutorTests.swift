import Foundation
import Testing

@testable import SQLiteStorage

@Suite("Asynchronous code that never suspends")
struct InPlaceExecutorTests {
  private struct Refused: Error {}

  private protocol Steps {
    func step(_ number: Int) async throws -> Int
  }

  /// Implements asynchronous requirements synchronously, as `SQLiteRecords` does.
  private struct Immediate: Steps {
    func step(_ number: Int) throws -> Int {
      guard number < 3 else { throw Refused() }
      return number + 1
    }
  }

  private static func procedure(_ steps: some Steps, from first: Int) async throws -> Int {
    try await steps.step(try await steps.step(first))
  }

  @Test("runs to its end on the thread that calls it")
  func runs() throws {
    let caller = pthread_self()
    var threads: [pthread_t] = []
    let value = try InPlaceExecutor.run {
      threads.append(pthread_self())
      let value = try await Self.procedure(Immediate(), from: 1)
      threads.append(pthread_self())
      return value
    }
    #expect(value == 3)
    #expect(threads == [caller, caller])
  }

  @Test("throws what is thrown in it, and may run within another")
  func fails() throws {
    #expect(throws: Refused.self) {
      try InPlaceExecutor.run { try await Self.procedure(Immediate(), from: 2) }
    }
    let value = try InPlaceExecutor.run {
      try await Self.procedure(Immediate(), from: try InPlaceExecutor.run { 0 })
    }
    #expect(value == 2)
  }
}
