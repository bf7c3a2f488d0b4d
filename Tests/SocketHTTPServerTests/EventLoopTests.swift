import EventLoops
import Synchronization
import Testing
import Threads

@Suite("An event loop that ends")
struct EventLoopTests {
  @Test("An ending loop does all work that it has taken, late in its last turn too, and takes no more")
  func lastTurn() throws {
    let loop = try EventLoop()
    let client = LateClient(loop: loop)
    let thread = try NamedThread(name: "late") {
      loop.add(client)
      loop.run()
    }
    loop.perform { loop.end() }
    thread.join()
    #expect(client.takenCount.load(ordering: .acquiring) > 0)
    #expect(client.takenCount.load(ordering: .acquiring) == client.doneCount.load(ordering: .acquiring))
    #expect(!loop.perform {})
  }
}

/// Gives the loop work at the end of every turn, and once more when that is done.
private final class LateClient: EventLoopClient, Sendable {
  let takenCount = Atomic<Int>(0)
  let doneCount = Atomic<Int>(0)
  private let loop: EventLoop

  init(loop: EventLoop) {
    self.loop = loop
  }

  var nextDeadline: Int64 { .max }

  func turnEnded() {
    perform {
      self.doneCount.wrappingAdd(1, ordering: .releasing)
      self.perform { self.doneCount.wrappingAdd(1, ordering: .releasing) }
    }
  }

  private func perform(_ body: @escaping @Sendable () -> Void) {
    if loop.perform(body) { takenCount.wrappingAdd(1, ordering: .releasing) }
  }
}
