import TimeclockDomain

/// The last changes of an organization, each once, for listeners that take them in their own time. The oldest ones make
/// room if all of them take too much.
struct ChangeRing {
  /// The changes of some listener's turn.
  struct Portion {
    var changes: [LiveChange]
    /// Whether there are more behind them.
    var hasMore: Bool
  }

  /// The change after which everything is here that was added.
  private(set) var start: Int64 = 0
  private(set) var byteCount = 0
  /// In the order of their sequence numbers.
  private var changes: [LiveChange] = []

  /// The most changes that are taken at once.
  private static let portionLimit = 64

  /// Empties it, so that the next change comes after `sequence`.
  mutating func begin(after sequence: Int64) {
    (changes, byteCount, start) = ([], 0, sequence)
  }

  mutating func append(_ change: LiveChange) {
    changes.append(change)
    byteCount += change.byteCount
  }

  /// The next changes after a place; nil if some of these are not here any more.
  func portion(after sequence: Int64) -> Portion? {
    guard sequence >= start else { return nil }
    let first = changes.partitionPoint { $0.change.sequence > sequence }
    let end = min(first + Self.portionLimit, changes.count)
    return Portion(changes: Array(changes[first..<end]), hasMore: end < changes.count)
  }

  /// Lets go of the changes up to `sequence`, which everybody has.
  mutating func drop(through sequence: Int64) {
    drop(changes.partitionPoint { $0.change.sequence > sequence })
  }

  /// Lets go of the oldest changes until the others take no more bytes than the limit.
  mutating func shrink(to limit: Int) {
    var (count, bytes) = (0, byteCount)
    while bytes > limit, count < changes.count {
      bytes -= changes[count].byteCount
      count += 1
    }
    drop(count)
  }

  private mutating func drop(_ count: Int) {
    guard count > 0 else { return }
    start = changes[count - 1].change.sequence
    byteCount -= changes[..<count].reduce(0) { $0 + $1.byteCount }
    changes.removeFirst(count)
  }
}

extension Array {
  /// The first index whose element, and those of all indices behind it, are `later`; the array has the others in front.
  fileprivate func partitionPoint(_ isLater: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isLater(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
