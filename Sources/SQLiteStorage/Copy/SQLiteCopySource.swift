import DatabaseCopy
import SchemaMigrations
import TimeclockDomain

/// A database file to copy from. It is held as a server holds it, so nothing changes meanwhile.
package final class SQLiteCopySource: CopySource {
  private let connection: SQLiteConnection
  private let held: HeldDatabase

  /// Opens the file for reading.
  ///
  /// - Throws: `CopyError.noSource`; `SQLiteStorageError`, `.databaseInUse` for a file that a server holds.
  package convenience init(path: String) throws {
    try self.init(path: path, migrations: SchemaMigrations.sqlite)
  }

  /// Opens a file with other migrations, for tests of them.
  init(path: String, migrations: [SchemaMigration]) throws {
    do {
      held = try HeldDatabase(path, access: .reading)
    } catch SQLiteStorageError.noDatabase {
      throw CopyError.noSource(path: path)
    }
    do {
      connection = try SQLiteConnection(path: held.file.path, isReadOnly: true)
    } catch {
      held.release()
      throw SQLiteStorageError.cannotOpen(path: path, reason: "\(error)")
    }
    do {
      try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; BEGIN")
      try SchemaUpdate(connection: connection, now: .earliest).requireCurrent(migrations)
    } catch {
      close()
      guard let error = error as? SQLiteError else { throw error }
      throw SQLiteStorageError.cannotOpen(path: path, reason: error.description)
    }
  }

  package func rowCount(of table: CopiedTable, in scope: CopyScope) throws -> Int64 {
    try connection.rowCount(of: table, in: scope)
  }

  package func forEachRow(
    of table: CopiedTable, in scope: CopyScope, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try connection.forEachRow(of: table, in: scope, body)
  }

  package func organizationNumber(of id: OrganizationID) throws -> Int64? {
    try connection.statement("SELECT organization_id FROM organizations WHERE id = ?1")
      .first([.identifier(id)]) { $0.integer(0) }
  }

  /// Nothing ever moves from a file to another cell.
  package func requireHere(_ scope: CopyScope) {}

  package func lastNumber(of numbering: CopiedTable.Numbering, in table: CopiedTable) throws -> Int64 {
    let greatest = try connection.statement(built: "SELECT max(\(numbering.column)) FROM \(table.name)")
      .first([]) { $0.integer(0) }
    guard numbering.isFromRowNumbers else { return greatest ?? 0 }
    let given = try connection.statement("SELECT last_number FROM row_numbers").first([]) { $0.integer(0) }
    return max(greatest ?? 0, given ?? 0)
  }

  package func close() {
    connection.close()
    held.release()
  }
}

extension SQLiteStorage {
  /// Whether two paths lead to one file, whether or not it exists.
  package static func isSameFile(_ first: String, _ second: String) -> Bool {
    guard let first = try? DatabaseFile(first), let second = try? DatabaseFile(second) else { return false }
    return first.path == second.path
  }
}
