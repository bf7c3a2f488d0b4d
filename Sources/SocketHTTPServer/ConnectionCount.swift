import Synchronization

/// How many connections all event loops have open together.
final class ConnectionCount: Sendable {
  private let count = Atomic<Int>(0)
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  var isBelowLimit: Bool { count.load(ordering: .relaxed) < limit }

  /// Counts one more connection; false, and nothing is counted, when there are enough.
  func add() -> Bool {
    if count.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
    remove()
    return false
  }

  func remove() {
    count.wrappingSubtract(1, ordering: .relaxed)
  }
}
