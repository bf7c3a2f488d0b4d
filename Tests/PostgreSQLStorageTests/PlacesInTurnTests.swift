import Procedures
import Synchronization
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

@Suite("Places by owner in turn")
struct PlacesInTurnTests {
  private static let unavailable = TimeclockError.unavailable(retryAfterSeconds: 1)

  /// Work that holds its place until it is asked to end.
  private final class Work: Sendable {
    private let places: PlacesInTurn<String>
    private let begun = Mutex<[String]>([])
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(_ places: PlacesInTurn<String>) {
      self.places = places
      (stream, continuation) = AsyncStream<Void>.makeStream()
    }

    var names: [String] { begun.withLock { $0 } }

    /// Works in a place until it may end.
    func run(_ owner: String, _ name: String, within time: Duration = .seconds(3_600)) async throws {
      try await places.withPlace(of: owner, within: time) {
        begun.withLock { $0.append(name) }
        for await _ in stream { return }
      }
    }

    /// Has one of those that work end.
    func endOne() { continuation.yield() }

    /// Has all end, now and later.
    func endAll() { continuation.finish() }
  }

  private static func waitFor(
    _ places: PlacesInTurn<String>, taken: Int, waiting: Int
  ) async throws {
    while places.load != (taken, waiting) { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test("are as many as there are, and one owner has no more than one may have")
  func limits() async throws {
    let places = PlacesInTurn<String>(limit: 2, limitOfOne: 1)
    let work = Work(places)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for owner in ["a", "a", "b", "c"] { group.addTask { try await work.run(owner, owner) } }
      try await Self.waitFor(places, taken: 2, waiting: 2)
      #expect(Set(work.names).count == 2)
      work.endAll()
      try await group.waitForAll()
    }
    #expect(work.names.sorted() == ["a", "a", "b", "c"])
    #expect(places.load == (0, 0))
  }

  @Test("go to the next owner, however many of one wait")
  func order() async throws {
    let places = PlacesInTurn<String>(limit: 1, limitOfOne: 1)
    let work = Work(places)
    try await withThrowingTaskGroup(of: Void.self) { group in
      var waiting = -1
      for (owner, name) in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1"), ("b", "b2")] {
        group.addTask { try await work.run(owner, name) }
        waiting += 1
        try await Self.waitFor(places, taken: 1, waiting: waiting)
      }
      for begun in 1...6 {
        while work.names.count < begun { try await Task.sleep(for: .milliseconds(1)) }
        work.endOne()
      }
      try await group.waitForAll()
    }
    #expect(work.names == ["a1", "a2", "b1", "c1", "a3", "b2"])
    #expect(places.load == (0, 0))
  }

  @Test("that do not come free in time are refused, and nothing is begun")
  func deadlines() async throws {
    let places = PlacesInTurn<String>(limit: 1, limitOfOne: 1)
    let work = Work(places)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await work.run("a", "a") }
      try await Self.waitFor(places, taken: 1, waiting: 0)
      for time in [Duration.seconds(-1), .zero, .milliseconds(20)] {
        await #expect(throws: Self.unavailable) { try await work.run("b", "b", within: time) }
        #expect(places.load == (1, 0))
      }
      work.endAll()
      try await group.waitForAll()
    }
    #expect(work.names == ["a"])
    // A free place is given with any time left.
    try await places.withPlace(of: "b", within: .zero) {}
    #expect(places.load == (0, 0))
  }

  @Test("are not waited for by a task that is canceled, before it comes or while it waits")
  func cancellation() async throws {
    let places = PlacesInTurn<String>(limit: 1, limitOfOne: 1)
    let work = Work(places)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await work.run("a", "a") }
      try await Self.waitFor(places, taken: 1, waiting: 0)
      let waiting = Task { try await work.run("b", "b") }
      try await Self.waitFor(places, taken: 1, waiting: 1)
      waiting.cancel()
      await #expect(throws: Self.unavailable) { try await waiting.value }
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await work.run("b", "b")
      }
      await #expect(throws: Self.unavailable) { try await late.value }
      #expect(places.load == (1, 0))
      work.endAll()
      try await group.waitForAll()
    }
    #expect(work.names == ["a"])
    #expect(places.load == (0, 0))
  }

  @Test("come back when the work fails")
  func failures() async throws {
    struct Failure: Error {}
    let places = PlacesInTurn<String>(limit: 1, limitOfOne: 1)
    for _ in 0..<3 {
      await #expect(throws: Failure.self) {
        try await places.withPlace(of: "a", within: .zero) { throw Failure() }
      }
    }
    #expect(places.load == (0, 0))
  }

  /// The holders of places, by their own count.
  private final class Presence: Sendable {
    private let counts = Mutex<[Int: Int]>([:])

    /// False if there are more than there are places, or more of one owner than may be.
    func enter(_ owner: Int) -> Bool {
      counts.withLock { counts in
        counts[owner, default: 0] += 1
        return counts.values.reduce(0, +) <= 3 && counts[owner, default: 0] <= 2
      }
    }

    func leave(_ owner: Int) { counts.withLock { $0[owner, default: 0] -= 1 } }
  }

  /// Waiting is ended by a place, by time and by cancellation, all at the same moments.
  @Test("are never lost nor given twice, whatever ends the waiting")
  func races() async throws {
    let places = PlacesInTurn<Int>(limit: 3, limitOfOne: 2)
    let present = Presence()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<600 {
        group.addTask {
          let owner = number % 5
          let task = Task {
            try await places.withPlace(of: owner, within: .microseconds(number % 7 * 400)) {
              #expect(present.enter(owner))
              await Task.yield()
              present.leave(owner)
            }
          }
          if number % 3 == 0 {
            await Task.yield()
            task.cancel()
          }
          _ = await task.result
        }
      }
    }
    #expect(places.load == (0, 0))
  }
}
