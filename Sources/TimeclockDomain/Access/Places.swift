import Synchronization

/// The counts of the places that each of several callers holds, so that none takes them all.
package final class Places<Key: Hashable & Sendable>: Sendable {
  private let taken = Mutex<[Key: Int]>([:])

  package init() {}

  /// Takes a place of each of the keys, or none at all.
  ///
  /// - Parameter limits: The keys, each once, with the most places that each may hold.
  /// - Returns: The first key that holds as many as it may, and nothing was taken; nil if all were.
  package func take(_ limits: [(key: Key, most: Int)]) -> Key? {
    taken.withLock { taken in
      for (key, most) in limits where taken[key, default: 0] >= most { return key }
      for (key, _) in limits { taken[key, default: 0] += 1 }
      return nil
    }
  }

  /// The places that a key holds.
  package func count(of key: Key) -> Int { taken.withLock { $0[key] ?? 0 } }

  /// Gives back a place of each of the keys.
  package func giveBack(_ keys: [Key]) {
    taken.withLock { taken in
      for key in keys {
        let own = taken[key] ?? 0
        taken[key] = own > 1 ? own - 1 : nil
      }
    }
  }
}
