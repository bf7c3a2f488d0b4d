/// A few threads for work that blocks or needs the processor for long, so that it never runs on an event loop.
package final class BlockingPool: Sendable {
  private let queue: WorkQueue<@Sendable () -> Void>
  private let threads: [NamedThread]

  /// Starts the pool's threads.
  ///
  /// - Parameters:
  ///   - name: The threads' name.
  ///   - threadCount: The number of pieces of work that run at once.
  ///   - queueLimit: The number of further pieces that may wait; work beyond that is refused.
  ///   - precedence: The place of the threads beside others on a busy processor.
  /// - Throws: `ThreadStartError`.
  package init(
    name: String, threadCount: Int, queueLimit: Int, precedence: ThreadPrecedence = .usual
  ) throws {
    let queue = WorkQueue<@Sendable () -> Void>(capacity: queueLimit)
    self.queue = queue
    threads = try (0..<threadCount).map { _ in
      try NamedThread(name: name, precedence: precedence) {
        while let work = queue.takeFirst() { work() }
      }
    }
  }

  /// Runs `work` on one of the pool's threads; the caller's task continues on its own executor.
  ///
  /// - Throws: `BlockingPoolFull` at once if too much work waits, and any error of `work`.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withUnsafeThrowingContinuation { continuation in
      let isTaken = queue.append { continuation.resume(with: Result(catching: work)) }
      if !isTaken { continuation.resume(throwing: BlockingPoolFull()) }
    }
  }

  /// Runs `work` on one of the pool's threads without waiting for it; false if too much work waits.
  package func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
    queue.append(work)
  }

  /// Finishes the queued work, then ends the threads. Call it once.
  package func stop() {
    queue.close()
    for thread in threads { thread.join() }
  }
}

/// Too much work waits for a `BlockingPool`.
package struct BlockingPoolFull: Error, Sendable {
  package init() {}
}
