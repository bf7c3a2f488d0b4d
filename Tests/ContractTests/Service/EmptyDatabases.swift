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
    let emptied = try? PostgreSQLTestCluster.shared.get().execute(Self.emptying, in: database)
    guard emptied != nil else { return }
    free.withLock { $0.append(database) }
  }

  /// Row by row, of which there are few: TRUNCATE makes new files for each table and each of its indexes. The superuser may
  /// leave out triggers, and with them the keys between the tables.
  private static let emptying = """
    SET session_replication_role = replica;
    DO $$
    DECLARE relation regclass;
    BEGIN
      FOR relation IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND relname NOT IN ('schema_migrations', 'log_epoch')
      LOOP
        EXECUTE format('DELETE FROM %s', relation);
      END LOOP;
      FOR relation IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
      LOOP
        PERFORM setval(relation, 1, false);
      END LOOP;
    END $$
    """
}
