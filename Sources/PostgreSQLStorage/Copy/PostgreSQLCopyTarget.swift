import DatabaseCopy
import SchemaMigrations
import TimeclockDomain

/// A database to copy into, in one transaction that keeps others from writing.
package final class PostgreSQLCopyTarget: CopyTarget {
  private let copy: PostgreSQLCopyConnection

  /// Connects, brings the schema up to date, and begins the transaction that writes.
  ///
  /// A server that is started meanwhile waits, as it does for another one's migrations. One that runs can read,
  /// and its writes are refused as unavailable.
  ///
  /// - Throws: `PostgreSQLStorageError`; `CopyError.targetIsBusy`, `.targetIsWritten`.
  package convenience init(_ location: PostgreSQLLocation) throws {
    try self.init(location, migrations: SchemaMigrations.postgresql)
  }

  /// Connects to a database with other migrations, for tests of them.
  init(_ location: PostgreSQLLocation, migrations: [SchemaMigration]) throws {
    copy = try PostgreSQLCopyConnection(location)
    do {
      try copy.lockForCopy(isShared: false)
      try SchemaUpdate(connection: copy.connection, now: WallClock.system.now).run(migrations)
      try copy.connection.execute("BEGIN; \(RowScope.Setting.everyoneInTransaction)")
      try lockTables()
    } catch {
      close()
      throw error
    }
  }

  /// Waits a little, because an autovacuum, such as one of an interrupted copy's tables, releases its lock only when
  /// another session waits for it (postgresql.org/docs/current/routine-vacuuming.html#AUTOVACUUM).
  private func lockTables() throws {
    do {
      try copy.connection.execute(
        "SET LOCAL lock_timeout = '5s'; LOCK TABLE \(Self.tableList) IN EXCLUSIVE MODE")
    } catch let error as PostgreSQLError where error.sqlState == "55P03" {
      throw CopyError.targetIsWritten
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

  package func write(
    _ table: CopiedTable, _ rows: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    try copy.write(table, rows)
  }

  package func setLastNumber(
    _ number: Int64, of numbering: CopiedTable.Numbering, in table: CopiedTable
  ) throws {
    // A sequence keeps it even if the transaction fails, which costs numbers and nothing else.
    try copy.connection.execute(
      """
      SELECT setval(pg_get_serial_sequence('\(table.name)', '\(numbering.column)'), \(max(1, number)), \(number > 0))
      """)
  }

  /// Updates the planner's statistics of the tables, for later reads and for the first ones of a server.
  package func prepareToRead() throws {
    try copy.connection.execute("ANALYZE \(Self.tableList)")
  }

  package func commit() throws {
    do {
      try copy.connection.execute("COMMIT")
    } catch let error as PostgreSQLError where error.sqlState.isEmpty || error.endsConnection {
      throw CopyError.outcomeUnknown(reason: error.message)
    }
  }

  package func close() {
    copy.connection.close()
  }

  private static let tableList = CopiedTable.all.map(\.name).joined(separator: ", ")
}
