import Synchronization

/// A few threads for work that blocks or burns, which callers get in turn (`QueueInTurn`).
///
/// The threads are those of a `BlockingPool`, whose queue holds a turn for each piece of work; which piece it is for is
/// decided when the turn comes.
package final class FairPool<Key: Hashable & Sendable>: Sendable {
  private let pool: BlockingPool
  private let waiting = Mutex(QueueInTurn<Key, @Sendable () -> Void>())
  private let queueLimitOfOne: Int

  /// Starts the pool's threads.
  ///
  /// - Parameters:
  ///   - name: The threads' name.
  ///   - threadCount: How many pieces of work run at once.
  ///   - queueLimit: How many more may wait, of all callers; work beyond that is refused.
  ///   - queueLimitOfOne: How many of one caller may.
  ///   - niceness: By how much other threads come before these, 0 to 19.
  /// - Throws: `ThreadStartError`.
  package init(
    name: String, threadCount: Int, queueLimit: Int, queueLimitOfOne: Int = .max, niceness: Int32 = 0
  ) throws {
    pool = try BlockingPool(
      name: name, threadCount: threadCount, queueLimit: queueLimit, niceness: niceness)
    self.queueLimitOfOne = queueLimitOfOne
  }

  /// Runs `work` on one of the pool's threads when the caller's turn comes; the caller's task goes on where it was.
  ///
  /// - Throws: At once `FairShareFull` when too much of the caller's is waiting, `BlockingPoolFull` when too much of all
  ///   is; whatever `work` throws.
  package func run<Value: Sendable>(
    for key: Key, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withUnsafeThrowingContinuation { continuation in
      do {
        try submit(for: key) { continuation.resume(with: Result(catching: work)) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Runs `work` on one of the pool's threads when the caller's turn comes, and waits for nothing.
  ///
  /// - Throws: `FairShareFull`, `BlockingPoolFull`.
  package func submit(for key: Key, _ work: @escaping @Sendable () -> Void) throws {
    try waiting.withLock { queue in
      guard queue.count(of: key) < queueLimitOfOne else { throw FairShareFull() }
      guard pool.submit({ [self] in waiting.withLock { $0.takeFirst() }?() }) else {
        throw BlockingPoolFull()
      }
      queue.append(work, of: key)
    }
  }

  /// Finishes what is queued, then ends the threads. Call it once.
  package func stop() {
    pool.stop()
  }
}

/// Too much work of one caller is waiting for a `FairPool` already.
package struct FairShareFull: Error, Sendable {
  package init() {}
}
