import Synchronization
import Testing
import Threads

@Suite("Work of many callers")
struct FairPoolTests {
  @Test("is run on threads in turn, and refused to who has too much waiting, or when all have")
  func threads() throws {
    let pool = try FairPool<String>(name: "fair", threadCount: 1, queueLimit: 5, queueLimitOfOne: 3)
    let (hasBegun, goOn) = (WorkQueue<Void>(), WorkQueue<Void>())
    let order = Order()
    try pool.submit(for: "a") {
      _ = hasBegun.append(())
      goOn.takeFirst()
    }
    hasBegun.takeFirst()
    for number in 1...3 { try pool.submit(for: "a") { order.append("a\(number)") } }
    #expect(throws: FairShareFull.self) { try pool.submit(for: "a") {} }
    for number in 1...2 { try pool.submit(for: "b") { order.append("b\(number)") } }
    #expect(throws: BlockingPoolFull.self) { try pool.submit(for: "c") {} }
    _ = goOn.append(())
    pool.stop()
    #expect(order.all == ["a1", "b1", "a2", "b2", "a3"])
  }

  @Test("gives back what it made, or threw")
  func results() async throws {
    struct Mishap: Error {}
    let pool = try FairPool<Int>(name: "fair", threadCount: 2, queueLimit: 100)
    for number in 0..<10 { #expect(try await pool.run(for: number % 3) { number } == number) }
    await #expect(throws: Mishap.self) { try await pool.run(for: 1) { throw Mishap() } }
    pool.stop()
    await #expect(throws: BlockingPoolFull.self) { try await pool.run(for: 1) {} }
  }
}

/// What was done, in order.
private final class Order: Sendable {
  private let done = Mutex<[String]>([])

  var all: [String] { done.withLock { $0 } }

  func append(_ name: String) { done.withLock { $0.append(name) } }
}
