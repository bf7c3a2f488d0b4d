import DatabaseCopy
import SchemaMigrations
import TimeclockDomain

/// A database to copy from, as it is at one moment: later writes of servers are not seen.
package final class PostgreSQLCopySource: CopySource {
  private let copy: PostgreSQLCopyConnection

  /// Connects, and begins the transaction that reads.
  ///
  /// - Throws: `PostgreSQLStorageError`; `CopyError.targetIsBusy` for a database that is being copied into;
  ///   `.unsealedChanges`.
  package convenience init(_ location: PostgreSQLLocation) throws {
    try self.init(location, migrations: SchemaMigrations.postgresql)
  }

  /// Connects to a database with other migrations, for tests of them.
  init(_ location: PostgreSQLLocation, migrations: [SchemaMigration]) throws {
    copy = try PostgreSQLCopyConnection(location)
    do {
      try copy.lockForCopy(isShared: true)
      try copy.connection.execute(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(RowScope.Setting.everyoneInTransaction)")
      try SchemaUpdate(connection: copy.connection, now: .earliest).requireCurrent(migrations)
      try requireSealed()
    } catch {
      close()
      throw error
    }
  }

  /// A copy has no queue: changes that wait in one would never be sealed.
  private func requireSealed() throws {
    guard try copy.number("SELECT count(*) FROM unsealed_changes") == 0 else {
      throw CopyError.unsealedChanges
    }
  }

  package func rowCount(of table: CopiedTable, in scope: CopyScope) throws -> Int64 {
    try copy.rowCount(of: table, in: scope)
  }

  package func forEachRow(
    of table: CopiedTable, in scope: CopyScope, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try copy.forEachRow(of: table, in: scope, body)
  }

  package func organizationNumber(of id: OrganizationID) throws -> Int64? {
    try copy.connection.execute("SELECT organization_id FROM organizations WHERE id = '\(id.text)'")
      .flatMap { Int64($0) }
  }

  package func requireHere(_ scope: CopyScope) throws {
    let condition =
      switch scope {
      case .everything: "TRUE"
      case .organization(let number), .move(let number): "organization_id = \(number)"
      }
    guard try copy.number("SELECT count(*) FROM organization_departures WHERE \(condition)") == 0 else {
      throw CopyError.departed
    }
  }

  package func lastNumber(of numbering: CopiedTable.Numbering, in table: CopiedTable) throws -> Int64 {
    let greatest = try copy.number("SELECT max(\(numbering.column)) FROM \(table.name)")
    let sequence = try copy.connection.execute(
      "SELECT pg_get_serial_sequence('\(table.name)', '\(numbering.column)')")
    guard let sequence else { return greatest }
    return max(greatest, try copy.number("SELECT last_value FROM \(sequence) WHERE is_called"))
  }

  package func close() {
    copy.connection.close()
  }
}
