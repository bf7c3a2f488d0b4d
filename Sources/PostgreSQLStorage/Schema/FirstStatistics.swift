import DatabaseCopy
import Synchronization
import TimeclockDomain

/// Statistics for PostgreSQL's planner about tables that have got their first rows.
///
/// Of a table that was never analyzed it knows nothing, and takes any index of it for as good as another: a member's
/// active entry is looked up in the exclusion constraint's then, and not in `time_entries_one_active`. Autovacuum looks
/// once a minute, and not at all if it is switched off. So tables with rows that nobody has analyzed are analyzed when
/// a server starts, as after `pg_restore`, and behind the first import. That reads a sample of 30,000 rows of each,
/// however many there are.
enum FirstStatistics {
  /// Analyzes the tables that have rows and no statistics.
  ///
  /// - Throws: `PostgreSQLError`.
  static func gather(on connection: EstablishedConnection) throws {
    let names = CopiedTable.all.map { "'\($0.name)'" }.joined(separator: ", ")
    let tables = try connection.execute(
      """
      SELECT string_agg(relname, ', ') FROM pg_class WHERE relkind = 'r' AND reltuples <= 0
      AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'organizations'::regclass)
      AND relname IN (\(names)) AND pg_relation_size(oid) > 0
      """)
    if let tables { try connection.execute("ANALYZE \(tables)") }
  }
}

extension PostgreSQLStorage {
  /// Analyzes the tables of an import if nobody has before, once in the life of a process. A failure does not affect
  /// the import.
  func gatherFirstStatistics() async {
    guard !hasStatistics.exchange(true, ordering: .relaxed) else { return }
    do {
      let isKnown = try await read(Self.areImportsAnalyzed, [], in: .noOrganization).first { $0.bool(0) }
      guard isKnown == false else { return }
      try await onLoop { connections in
        try await connections.transaction(in: .noOrganization) {
          _ = try await $0.run(Self.analyzeImports, [])
        }
      }
    } catch {
      hasStatistics.store(false, ordering: .relaxed)
    }
  }

  private static let areImportsAnalyzed = PostgreSQLStatement(
    "SELECT reltuples > 0 FROM pg_class WHERE oid = 'time_entries'::regclass")
  private static let analyzeImports = PostgreSQLStatement(
    "ANALYZE members, users, projects, tasks, time_entries, segments, changes, change_seals",
    isPlannedAnew: true)
}
