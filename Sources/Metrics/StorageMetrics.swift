import Glibc
import Synchronization

/// The numbers that a storage counts of its own work.
package final class StorageMetrics: Sendable {
  /// The nanoseconds of each read, waiting included.
  package let reads = Histogram(bounds: Histogram.times)
  /// The nanoseconds of each write until it was committed or refused, waiting included.
  package let writes = Histogram(bounds: Histogram.times)
  /// The writes of each commit.
  package let commits = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64])
  private let poolsByLoop = Mutex<[PoolMetrics]>([])

  package init() {}

  /// The connections of all event loops.
  package var pools: [PoolMetrics] { poolsByLoop.withLock { $0 } }

  /// Makes the numbers of another event loop's connections.
  package func addPool() -> PoolMetrics {
    let pool = PoolMetrics()
    poolsByLoop.withLock { $0.append(pool) }
    return pool
  }

  /// The present time, in nanoseconds.
  package static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

extension Histogram {
  /// Counts the time since `start`, in nanoseconds of `StorageMetrics.now`.
  package func observe(since start: Int) {
    observe(StorageMetrics.now - start)
  }
}

/// The connections of one event loop, as they were at the end of its last turn.
package final class PoolMetrics: Sendable {
  /// The connections that stand.
  package let open = Atomic(0)
  /// Connections that owe an answer, or belong to a transaction.
  package let inUse = Atomic(0)
  /// The calls that wait for a connection.
  package let waiting = Atomic(0)
}
