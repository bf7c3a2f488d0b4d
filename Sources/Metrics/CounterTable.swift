import CLinux
import Synchronization

/// Whole numbers that many threads add to, and that only a scrape reads.
///
/// Each number stands once in each of a few shards, and a thread adds to the shard of its own number: event loops share
/// no cache line, and none waits for another. No addition is lost, even if threads outnumber the shards.
///
/// `@unchecked Sendable`: the memory stays in place from `init` to `deinit`, and is read and written by atomic operations
/// only.
package final class CounterTable: @unchecked Sendable {
  private let numbers: UnsafeMutablePointer<Atomic<Int>>
  /// The numbers of a shard: those of the table, and as many as keep two shards out of one cache line.
  private let stride: Int
  private let count: Int

  private static let shardCount = 8
  private static let cacheLine = 8

  /// Makes a table of zeros.
  package init(count: Int) {
    self.count = count
    stride = count + Self.cacheLine
    numbers = .allocate(capacity: stride * Self.shardCount)
    for index in 0..<stride * Self.shardCount { (numbers + index).initialize(to: Atomic(0)) }
  }

  deinit {
    numbers.deinitialize(count: stride * Self.shardCount)
    numbers.deallocate()
  }

  /// Adds to the number at an index below `count`.
  package func add(_ value: Int, at index: Int) {
    precondition(index >= 0 && index < count)
    let shard = Int(linux_thread_number()) % Self.shardCount
    numbers[shard * stride + index].wrappingAdd(value, ordering: .relaxed)
  }

  /// The sum of the number at an index below `count`, over all shards.
  package func sum(at index: Int) -> Int {
    precondition(index >= 0 && index < count)
    return (0..<Self.shardCount).reduce(0) {
      $0 &+ numbers[$1 * stride + index].load(ordering: .relaxed)
    }
  }
}
