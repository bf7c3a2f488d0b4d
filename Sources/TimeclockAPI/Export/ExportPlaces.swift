import Synchronization
import TimeclockDomain

/// How many exports are under way, so that clients who read slowly cannot make them take all memory.
final class ExportPlaces: Sendable {
  private let taken = Mutex<[UserKey: Int]>([:])

  /// The most exports at once, and the most of one person.
  private static let limit = 32
  private static let limitOfOne = 4

  /// A place for one export, held for as long as this is.
  final class Place: Sendable {
    private let places: ExportPlaces
    private let user: UserKey

    fileprivate init(_ places: ExportPlaces, user: UserKey) {
      self.places = places
      self.user = user
    }

    deinit {
      places.giveBack(user)
    }
  }

  /// Takes a place.
  ///
  /// - Throws: `TimeclockError.unavailable` where all are taken.
  func take(for user: UserKey) throws -> Place {
    try taken.withLock { taken in
      let own = taken[user] ?? 0
      guard own < Self.limitOfOne, taken.values.reduce(0, +) < Self.limit else {
        throw TimeclockError.unavailable(retryAfterSeconds: 5)
      }
      taken[user] = own + 1
    }
    return Place(self, user: user)
  }

  private func giveBack(_ user: UserKey) {
    taken.withLock { taken in
      let own = taken[user] ?? 0
      taken[user] = own > 1 ? own - 1 : nil
    }
  }
}
