import Synchronization

/// A few threads for work that blocks or needs the processor for long. Callers get them in turn (`QueueInTurn`).
///
/// The threads are those of a `BlockingPool`, whose queue holds a turn for each piece of work. The piece that gets a turn
/// is chosen when the turn comes.
package final class FairPool<Key: Hashable & Sendable>: Sendable {
  private let pool: BlockingPool
  private let waiting = Mutex(QueueInTurn<Key, @Sendable () -> Void>())
  private let queueLimitOfOne: Int

  /// Starts the pool's threads.
  ///
  /// - Parameters:
  ///   - name: The threads' name.
  ///   - threadCount: The number of pieces of work that run at once.
  ///   - queueLimit: The number of further pieces of all callers that may wait; work beyond that is refused.
  ///   - queueLimitOfOne: The number of further pieces of one caller that may wait.
  ///   - precedence: The place of the threads beside others on a busy processor.
  /// - Throws: `ThreadStartError`.
  package init(
    name: String, threadCount: Int, queueLimit: Int, queueLimitOfOne: Int = .max,
    precedence: ThreadPrecedence = .usual
  ) throws {
    pool = try BlockingPool(
      name: name, threadCount: threadCount, queueLimit: queueLimit, precedence: precedence)
    self.queueLimitOfOne = queueLimitOfOne
  }

  /// Runs `work` on one of the pool's threads when the caller's turn comes; the caller's task continues on its own
  /// executor.
  ///
  /// - Throws: At once `FairShareFull` if too much of the caller's work waits, `BlockingPoolFull` if too much work of all
  ///   callers waits; any error of `work`.
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

  /// Runs `work` on one of the pool's threads when the caller's turn comes, without waiting for it.
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

  /// Finishes the queued work, then ends the threads. Call it once.
  package func stop() {
    pool.stop()
  }
}

/// Too much work of one caller waits for a `FairPool`.
package struct FairShareFull: Error, Sendable {
  package init() {}
}
