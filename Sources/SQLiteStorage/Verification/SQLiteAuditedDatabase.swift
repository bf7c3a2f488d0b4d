import CSQLite
import ChangeLog
import DatabaseCopy
import Glibc
import Procedures
import SchemaMigrations
import TimeclockDomain

/// A database file as it is at one moment, read beside the process that writes it.
///
/// Its connection can neither write nor move the log into the file, which only the writer's may (sqlite.org/wal.html,
/// "the WAL-reset bug"). While it is open, the log cannot restart.
package final class SQLiteAuditedDatabase: AuditedDatabase {
  let connection: SQLiteConnection
  package let hasCurrentSchema: Bool
  /// The absolute path of the file.
  package let path: String
  private let identifiers = PublicIdentifiers()
  private var sorted: [SortedKey: SortedResources] = [:]

  private struct SortedKey: Hashable {
    let organization: Int64
    let kind: Snapshot.Kind
  }

  /// Opens the file, and takes its present state.
  ///
  /// - Throws: `SQLiteStorageError`, `.foreignDatabase`, `.schemaIsUnreleased`, `.schemaIsNewer`.
  package convenience init(path: String) throws {
    try self.init(path: path, migrations: SchemaMigrations.sqlite)
  }

  /// Opens a file with other migrations, for tests of them.
  init(path: String, migrations: [SchemaMigration]) throws {
    let file = try DatabaseFile(path)
    guard access(file.path, F_OK) == 0 else {
      throw SQLiteStorageError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    self.path = file.path
    do {
      connection = try SQLiteConnection(path: file.path, isReadOnly: true)
    } catch {
      throw SQLiteStorageError.cannotOpen(path: path, reason: "\(error)")
    }
    do {
      _ = sqlite_no_checkpoint_on_close(connection.handle)
      try connection.execute(
        "PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; BEGIN")
      hasCurrentSchema = try Self.isCurrent(connection, migrations)
    } catch {
      connection.close()
      switch error {
      case SQLiteStorageError.schemaIsOlder(0, _):
        throw SQLiteStorageError.cannotOpen(path: path, reason: "It is empty")
      case let error as SQLiteError where error.isNotDatabase:
        throw SQLiteStorageError.notDatabase(path: path, .unknown)
      case let error as SQLiteError:
        throw SQLiteStorageError.cannotOpen(path: path, reason: error.description)
      default: throw error
      }
    }
  }

  private static func isCurrent(_ connection: SQLiteConnection, _ migrations: [SchemaMigration]) throws
    -> Bool
  {
    do {
      try SchemaUpdate(connection: connection, now: .earliest).requireCurrent(migrations)
      return true
    } catch SQLiteStorageError.schemaIsOlder(let database, _) where database > 0 {
      return false
    }
  }

  package func organizations() throws -> [(key: OrganizationKey, id: OrganizationID)] {
    try connection.statement("SELECT organization_id, id FROM organizations ORDER BY organization_id")
      .all([]) { (OrganizationKey($0.integer(0)), try $0.identifier(1)) }
  }

  package func storedChanges(
    of organization: OrganizationKey, after sequence: Int64, limit: Int
  ) throws -> [StoredChange] {
    try connection.statement(ChangeLogRows.all)
      .all([.integer(organization.value), .integer(sequence), PageLimit.count(limit)]) {
        try ChangeLogRows.change($0)
      }
  }

  /// The writer seals a change if it makes it: none waits.
  package func waitingChanges(of organization: OrganizationKey) throws -> [StoredChange] { [] }

  package func lostSealCount(of organization: OrganizationKey) throws -> Int64 {
    try connection.lostSealCount(of: organization)
  }

  private static let changesByResource = SQLiteText(
    """
    SELECT c.resource_id, c.resource, c.kind, c.before, c.after, c.salt IS NULL, s.sequence \
    FROM changes c INDEXED BY changes_of_resource LEFT JOIN change_seals s \
    ON s.organization_id = c.organization_id AND s.change_number = c.change_number \
    WHERE c.organization_id = ?1 AND c.resource_id > ?2 ORDER BY c.resource_id, c.change_number
    """)

  package func lastChanges(
    of organization: OrganizationKey, after id: ResourceID?, limit: Int
  ) throws -> [LastChange] {
    var changes = LastChanges(limit: limit)
    try connection.statement(Self.changesByResource).walk([.integer(organization.value), .start(id)]) { row in
      let sequence = row.optionalInteger(6) ?? .max
      let isErased = row.bool(5)
      let change = LastChange(
        resource: try row.choice(1), resourceID: try row.identifier(0), kind: try row.choice(2),
        before: row.optionalText(3), after: row.optionalText(4), isErased: isErased,
        lastErasure: isErased ? sequence : nil)
      return changes.add(change, sequence: sequence)
    }
    return changes.found
  }

  package func integrityFaults() throws -> [String] {
    let structure: [String]
    do {
      structure = try connection.statement("PRAGMA integrity_check").all([]) { $0.text(0) }
        .filter { $0 != "ok" }
    } catch let error as SQLiteError where error.isCorruption {
      structure = [error.description]
    }
    var dangling: [String: Int] = [:]
    try connection.statement("PRAGMA foreign_key_check").forEach([]) { row in
      dangling["rows of \(row.text(0)) refer to no row of \(row.text(2))", default: 0] += 1
    }
    let numbers = try spentNumberCount()
    return structure + dangling.map { "\($1) \($0)" }.sorted()
      + (numbers == 0 ? [] : ["\(numbers) tables have numbers that are given out again"])
  }

  /// The number of tables with a number that the writer would give once more. An older schema lacks some tables.
  private func spentNumberCount() throws -> Int64 {
    let tables = try Set(
      connection.statement("SELECT name FROM sqlite_schema WHERE type = 'table'").all([]) { $0.text(0) })
    let numbers = CopiedTable.all.compactMap { table -> String? in
      guard let numbering = table.numbering, numbering.isFromRowNumbers, tables.contains(table.name)
      else { return nil }
      return "SELECT max(\(numbering.column)) AS last FROM \(table.name)"
    }
    return try count(
      """
      SELECT count(*) FROM (\(numbers.joined(separator: " UNION ALL "))) \
      WHERE last > (SELECT last_number FROM row_numbers)
      """)
  }

  package func count(_ query: String) throws -> Int64 {
    Int64(try connection.text(query)) ?? 0
  }

  /// Lets go of the file. Call it once, and nothing after it.
  package func close() {
    connection.close()
  }
}

// The resources themselves.
extension SQLiteAuditedDatabase {
  package func resources(
    _ kind: Snapshot.Kind, of organization: OrganizationKey, after id: ResourceID?, limit: Int
  ) throws -> [Snapshot] {
    let values: [SQLiteValue] = [.integer(organization.value), .start(id), PageLimit.count(limit)]
    switch kind {
    case .timeEntry:
      let rows = TimeEntryRows(connection: connection, identifiers: identifiers)
      return try connection.statement(Self.entries).all(values) { .timeEntry(try rows.entry($0)) }
    case .session:
      let rows = try connection.statement(Self.sessions)
        .all(values, named: StoredSession.names, StoredSession.init)
      let sessions = StoredSession.joined(rows).map { Snapshot.session($0.details.session) }
      return SortedResources(sessions).page(after: nil, limit: limit)
    case .segment:
      return try connection.read(
        SegmentStatements.afterID,
        [
          .integer(organization.value), id.map(RecordValue.identifier) ?? .bytes([]),
          .integer(Int64(PageSize.clamped(limit))),
        ]
      ) { .segment(try StoredSegment(&$0).segment) }
    default:
      let key = SortedKey(organization: organization.value, kind: kind)
      let resources = try sorted[key] ?? SortedResources(everything(kind, of: organization))
      sorted[key] = resources
      return resources.page(after: id, limit: limit)
    }
  }

  private func everything(_ kind: Snapshot.Kind, of organization: OrganizationKey) throws -> [Snapshot] {
    let read = try kind.everything(of: organization) { statement, values, row in
      try connection.read(statement, values.map(RecordValue.integer), row)
    }
    guard let read else { preconditionFailure("Resources of the kind \(kind) are read by their ids.") }
    return read
  }

  private static let entries = SQLiteText(
    """
    SELECT \(TimeEntryRows.columns) FROM time_entries e INDEXED BY time_entries_by_id \
    WHERE e.organization_id = ?1 AND e.id > ?2 ORDER BY e.id LIMIT ?3
    """)

  private static let sessions = SQLiteText(
    StoredSession.page(
      of: """
        SELECT s.* FROM sessions s INDEXED BY sessions_by_id WHERE s.organization_id = ?1 AND s.id > ?2 \
        ORDER BY s.id LIMIT ?3
        """))
}

extension SQLiteValue {
  /// The exclusive lower bound of the ids that come after this one; for nil, of all ids.
  fileprivate static func start(_ id: ResourceID?) -> SQLiteValue {
    id.map(SQLiteValue.identifier) ?? .blob([])
  }
}
