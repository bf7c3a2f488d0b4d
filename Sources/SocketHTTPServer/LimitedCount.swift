import Synchronization

/// A number of things of which there may only be a limited number, whichever threads add and remove them.
final class LimitedCount: Sendable {
  private let count = Atomic<Int>(0)
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// The things that there are.
  var current: Int { count.load(ordering: .relaxed) }

  var isBelowLimit: Bool { count.load(ordering: .relaxed) < limit }

  /// Counts one more; false, without counting it, if the limit is reached.
  func add() -> Bool {
    if count.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
    remove()
    return false
  }

  func remove() {
    count.wrappingSubtract(1, ordering: .relaxed)
  }
}
