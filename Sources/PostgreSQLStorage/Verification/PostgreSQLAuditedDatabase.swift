import ChangeLog
import Glibc
import Procedures
import SchemaMigrations
import TimeclockDomain

/// A database as it is at one moment, in one transaction that only reads, beside servers that write.
package final class PostgreSQLAuditedDatabase: AuditedDatabase {
  private let copy: PostgreSQLCopyConnection
  package let hasCurrentSchema: Bool
  private var sorted: [SortedKey: SortedResources] = [:]

  private struct SortedKey: Hashable {
    let organization: Int64
    let kind: Snapshot.Kind
  }

  /// Connects, and takes the database's present state.
  ///
  /// - Throws: `PostgreSQLStorageError`, `.schemaIsUnreleased`, `.schemaIsNewer`.
  package init(_ location: PostgreSQLLocation) throws {
    copy = try PostgreSQLCopyConnection(location)
    do {
      try copy.connection.execute(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(RowScope.Setting.everyoneInTransaction)")
      hasCurrentSchema = try Self.isCurrent(copy.connection)
    } catch {
      copy.connection.close()
      throw error
    }
  }

  /// Looks at what a transaction has written and not committed yet. The connection stays the caller's to close.
  init(in transaction: PostgreSQLCopyConnection) {
    copy = transaction
    hasCurrentSchema = true
  }

  private static func isCurrent(_ connection: EstablishedConnection) throws -> Bool {
    do {
      try SchemaUpdate(connection: connection, now: .earliest).requireCurrent(SchemaMigrations.postgresql)
      return true
    } catch PostgreSQLStorageError.schemaIsOlder(let database, _) where database > 0 {
      return false
    }
  }

  private func rows(_ statement: PostgreSQLStatement, _ values: [String]) throws -> PostgreSQLRows {
    try copy.rows(statement.text, values)
  }

  package func organizations() throws -> [(key: OrganizationKey, id: OrganizationID)] {
    try rows(ChangeLogRows.organizations, [])
      .map { (OrganizationKey($0.integer(0)), try $0.identifier(1)) }
  }

  package func storedChanges(
    of organization: OrganizationKey, after sequence: Int64, limit: Int
  ) throws -> [StoredChange] {
    try rows(ChangeLogRows.all, ["\(organization.value)", "\(sequence)", "\(limit)"])
      .map { try ChangeLogRows.change($0) }
  }

  package func waitingChanges(of organization: OrganizationKey) throws -> [StoredChange] {
    try rows(PostgreSQLStorage.allWaiting, ["\(organization.value)"]).map { try ChangeLogRows.change($0) }
  }

  package func lostSealCount(of organization: OrganizationKey) throws -> Int64 {
    try rows(ChangeLogRows.unsealed, ["\(organization.value)"]).first { $0.integer(1) } ?? 0
  }

  /// Every change of the next resources, found by id, however many rows PostgreSQL estimates.
  private static let changesByResource = PostgreSQLStatement(
    """
    SELECT c.resource_id, c.resource, c.kind, c.before, c.after, c.salt IS NULL, s.sequence \
    FROM (SELECT DISTINCT resource_id FROM changes WHERE organization_id = $1 AND resource_id > $2 \
    ORDER BY resource_id LIMIT $3) r \
    CROSS JOIN LATERAL (SELECT * FROM changes \
    WHERE organization_id = $1 AND resource_id = r.resource_id OFFSET 0) c \
    LEFT JOIN LATERAL (SELECT sequence FROM change_seals \
    WHERE organization_id = $1 AND change_number = c.change_number OFFSET 0) s ON TRUE \
    ORDER BY r.resource_id, c.change_number
    """)

  package func lastChanges(
    of organization: OrganizationKey, after id: ResourceID?, limit: Int
  ) throws -> [LastChange] {
    // Several resources may have one id: there is room for all that this many ids have.
    var changes = LastChanges(limit: .max)
    let rows = try rows(Self.changesByResource, ["\(organization.value)", Self.start(id), "\(limit)"])
    for number in 0..<rows.count {
      let row = rows[number]
      let sequence = row.optionalInteger(6) ?? .max
      let isErased = row.bool(5)
      let change = LastChange(
        resource: try row.choice(1), resourceID: try row.identifier(0), kind: try row.choice(2),
        before: row.optionalText(3), after: row.optionalText(4), isErased: isErased,
        lastErasure: isErased ? sequence : nil)
      _ = changes.add(change, sequence: sequence)
    }
    return changes.found
  }

  /// The exclusive lower bound of the ids that come after this one; for nil, of all ids.
  private static func start(_ id: ResourceID?) -> String {
    (id ?? ResourceID(high: 0, low: 0)).text
  }

  package func integrityFaults() throws -> [String] {
    try IntegrityCheck(connection: copy.connection).faults()
  }

  package func count(_ query: String) throws -> Int64 {
    try copy.number(query)
  }

  /// Ends the transaction and the connection. Call it once, and nothing after it.
  package func close() {
    copy.connection.close()
  }
}

// The resources themselves.
extension PostgreSQLAuditedDatabase {
  package func resources(
    _ kind: Snapshot.Kind, of organization: OrganizationKey, after id: ResourceID?, limit: Int
  ) throws -> [Snapshot] {
    let values = ["\(organization.value)", Self.start(id), "\(limit)"]
    switch kind {
    case .timeEntry:
      return try rows(Self.entries, values).map { .timeEntry(try TimeEntryRows.entry($0)) }
    case .session:
      let rows = try rows(Self.sessions, values).all(named: StoredSession.names, StoredSession.init)
      return SortedResources(StoredSession.joined(rows).map { .session($0.details.session) }).page(
        after: nil, limit: limit)
    case .segment:
      let statement = SegmentStatements.afterID
      return try rows(.of(statement), values).all(named: statement.names) {
        .segment(try StoredSegment(&$0).segment)
      }
    default:
      let key = SortedKey(organization: organization.value, kind: kind)
      let resources = try sorted[key] ?? SortedResources(everything(kind, of: organization))
      sorted[key] = resources
      return resources.page(after: id, limit: limit)
    }
  }

  private func everything(_ kind: Snapshot.Kind, of organization: OrganizationKey) throws -> [Snapshot] {
    let read = try kind.everything(of: organization) { statement, values, row in
      try rows(.of(statement), values.map { "\($0)" }).all(named: statement.names, row)
    }
    guard let read else { preconditionFailure("Resources of the kind \(kind) are read by their ids.") }
    return read
  }

  private static let entries = PostgreSQLStatement(
    """
    SELECT \(TimeEntryRows.columns) FROM time_entries e WHERE e.organization_id = $1 AND e.id > $2 \
    ORDER BY e.id LIMIT $3
    """)

  private static let sessions = PostgreSQLStatement(
    StoredSession.page(
      of: "SELECT * FROM sessions WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3")
  )
}
