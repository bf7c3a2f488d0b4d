import PostgreSQLTestCluster
import Synchronization

/// PostgreSQL databases without rows. A service has one to itself and leaves it to the next: to empty one takes a
/// fraction of the time that a new one and its migrations take.
final class EmptyDatabases: Sendable {
  static let shared = EmptyDatabases()

  private let free = Mutex<[String]>([])

  /// A database in which there is nothing, or the tables alone; where to find it.
  func take() throws -> String {
    let cluster = try PostgreSQLTestCluster.shared.get()
    return try free.withLock { $0.popLast() } ?? cluster.makeDatabase()
  }

  /// Empties a database that is no longer used, and keeps it for the next test. One that cannot be emptied is not used
  /// again.
  func giveBack(_ database: String) {
    // Every table that is not named refers to one that is.
    let emptied = try? PostgreSQLTestCluster.shared.get()
      .execute(
        """
        TRUNCATE organizations, users, changes, unsealed_changes, change_seals, idempotency_keys, log_in_attempts
        RESTART IDENTITY CASCADE
        """,
        in: database)
    guard emptied != nil else { return }
    free.withLock { $0.append(database) }
  }
}
