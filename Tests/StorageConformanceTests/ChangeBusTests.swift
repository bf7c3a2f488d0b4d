import Synchronization
import Testing
import TimeclockDomain

/// The announcements of grown logs.
@Suite("The bus of a storage")
struct ChangeBusTests {
  /// Counts announcements, and lets a test wait for the next one.
  private final class Listener: Sendable {
    private let announcements = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let count = Atomic(0)

    func hear() {
      count.add(1, ordering: .relaxed)
      announcements.continuation.yield()
    }

    /// Waits for an announcement, for at most ten seconds.
    func wait() async throws {
      try await withThrowingTaskGroup { group in
        group.addTask { [stream = announcements.stream] in for await _ in stream { return } }
        group.addTask {
          try await Task.sleep(for: .seconds(10))
          throw Unheard()
        }
        try await group.next()
        group.cancelAll()
      }
    }

    struct Unheard: Error {}
  }

  @Test(
    "announces a log that has grown, when the change can be read, and no other's",
    arguments: StorageFactory.all)
  func announcements(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let member = try await world.member(of: organization)
      let (own, foreign) = (Listener(), Listener())
      var last = try await world.storage.lastSequence(of: organization.key)
      // Sealed by that, as far as it has to be.
      _ = try await world.storage.lastSequence(of: other.key)
      #expect(last == 3)
      let listening = [
        world.storage.listen(to: organization.key) { own.hear() },
        world.storage.listen(to: other.key) { foreign.hear() },
      ]
      for hour in [0.0, 1, 2] {
        try await world.keep(member, in: organization, from: .hour(hour), to: .hour(hour + 1))
        repeat {
          try await own.wait()
        } while try await world.storage.lastSequence(of: organization.key) == last
        last += 1
      }
      // One may come for nothing, to all, when a storage begins to hear of other processes.
      #expect(foreign.count.load(ordering: .relaxed) <= 1)
      withExtendedLifetime(listening) {}
    }
  }

  @Test(
    "announces nothing to a listener who has gone, and a refused write grows no log",
    arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let listener = Listener()
      var listening: ChangeBus.Listening? = world.storage.listen(to: organization.key) {
        listener.hear()
      }
      let last = try await world.storage.lastSequence(of: organization.key)
      try await world.keep(member, in: organization, from: .hour(0), to: .hour(1))
      repeat {
        try await listener.wait()
      } while try await world.storage.lastSequence(of: organization.key) == last
      await #expect(throws: TimeclockError.self) {
        try await world.keep(member, in: organization, from: .hour(0), to: .hour(1))
      }
      #expect(try await world.storage.lastSequence(of: organization.key) == last + 1)
      listening = nil
      let count = listener.count.load(ordering: .relaxed)
      try await world.keep(member, in: organization, from: .hour(1), to: .hour(2))
      #expect(listener.count.load(ordering: .relaxed) == count && listening == nil)
    }
  }
}
