import Synchronization
import TimeclockDomain

/// The public ids of people by their rows. They never change, so they are kept in memory, and a report does not look
/// each of them up.
final class UserIdentifiers: Sendable {
  private let ids = Mutex<[UserKey: UserID]>([:])

  /// Beyond this many, all are dropped and read again.
  private static let limit = 100_000

  /// The id of each of these people; nil if it is not known.
  func known(of users: [UserKey]) -> [UserID?] {
    ids.withLock { ids in users.map { ids[$0] } }
  }

  func keep(_ people: [UserKey: ReportedPerson]) {
    ids.withLock { ids in
      if ids.count >= Self.limit { ids = [:] }
      for (user, person) in people { ids[user] = person.id }
    }
  }
}
