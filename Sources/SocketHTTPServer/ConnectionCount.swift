import Synchronization

/// The number of connections that all event loops have open together.
final class ConnectionCount: Sendable {
  private let count = Atomic<Int>(0)
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// The connections that are open.
  var current: Int { count.load(ordering: .relaxed) }

  var isBelowLimit: Bool { count.load(ordering: .relaxed) < limit }

  /// Counts one more connection; false, without counting it, if the limit is reached.
  func add() -> Bool {
    if count.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
    remove()
    return false
  }

  func remove() {
    count.wrappingSubtract(1, ordering: .relaxed)
  }
}
