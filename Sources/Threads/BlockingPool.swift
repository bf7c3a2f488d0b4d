/// A few threads for work that blocks or burns, so that it never runs on an event loop.
package final class BlockingPool: Sendable {
  private let queue: WorkQueue<@Sendable () -> Void>
  private let threads: [NamedThread]

  /// Starts the pool's threads.
  ///
  /// - Parameters:
  ///   - name: The threads' name.
  ///   - threadCount: How many pieces of work run at once.
  ///   - queueLimit: How many more may wait; work beyond that is refused.
  ///   - niceness: By how much other threads come before these, 0 to 19.
  /// - Throws: `ThreadStartError`.
  package init(name: String, threadCount: Int, queueLimit: Int, niceness: Int32 = 0) throws {
    let queue = WorkQueue<@Sendable () -> Void>(capacity: queueLimit)
    self.queue = queue
    threads = try (0..<threadCount).map { _ in
      try NamedThread(name: name, niceness: niceness) {
        while let work = queue.takeFirst() { work() }
      }
    }
  }

  /// Runs `work` on one of the pool's threads; the caller's task goes on where it was.
  ///
  /// - Throws: `BlockingPoolFull` at once when too much is waiting, and whatever `work` throws.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withUnsafeThrowingContinuation { continuation in
      let isTaken = queue.append { continuation.resume(with: Result(catching: work)) }
      if !isTaken { continuation.resume(throwing: BlockingPoolFull()) }
    }
  }

  /// Runs `work` on one of the pool's threads, and waits for nothing; false when too much is waiting already.
  package func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
    queue.append(work)
  }

  /// Finishes what is queued, then ends the threads. Call it once.
  package func stop() {
    queue.close()
    for thread in threads { thread.join() }
  }
}

/// Too much work is waiting for a `BlockingPool` already.
package struct BlockingPoolFull: Error, Sendable {
  package init() {}
}
