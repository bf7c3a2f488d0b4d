import Synchronization
import Testing
import Threads

@Suite("Work of many callers")
struct FairPoolTests {
  @Test("The pool runs callers' work in turn, and refuses work of a caller, or of all, with too much waiting")
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

  @Test("The pool returns the work's result, or throws its error")
  func results() async throws {
    struct Mishap: Error {}
    let pool = try FairPool<Int>(name: "fair", threadCount: 2, queueLimit: 100)
    for number in 0..<10 { #expect(try await pool.run(for: number % 3) { number } == number) }
    await #expect(throws: Mishap.self) { try await pool.run(for: 1) { throw Mishap() } }
    pool.stop()
    await #expect(throws: BlockingPoolFull.self) { try await pool.run(for: 1) {} }
  }
}

/// The finished work, in order.
private final class Order: Sendable {
  private let done = Mutex<[String]>([])

  var all: [String] { done.withLock { $0 } }

  func append(_ name: String) { done.withLock { $0.append(name) } }
}
