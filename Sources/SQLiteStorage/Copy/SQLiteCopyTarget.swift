import DatabaseCopy
import Glibc
import SchemaMigrations
import TimeclockDomain

/// A database file to copy into. Everything is one transaction in the write-ahead log: until the commit, the file
/// itself has nothing but its schema, however the process ends.
package final class SQLiteCopyTarget: CopyTarget {
  private let connection: SQLiteConnection
  private let held: HeldDatabase
  /// Whether the file is to go again, unless something is committed.
  private var isNew: Bool

  /// Opens the file, makes it if there is none, and brings its schema up to date.
  ///
  /// - Throws: `SQLiteStorageError`, `.databaseInUse` for a file that a server holds.
  package convenience init(path: String) throws {
    try self.init(path: path, migrations: SchemaMigrations.sqlite)
  }

  /// Opens a file with other migrations, for tests of them.
  init(path: String, migrations: [SchemaMigration]) throws {
    held = try HeldDatabase(path, access: .writing(mayCreate: true))
    isNew = held.isNew
    do {
      connection = try SQLiteConnection(path: held.file.path, isReadOnly: false)
    } catch {
      held.release()
      guard let error = error as? SQLiteError else { throw error }
      throw SQLiteStorageError.cannotOpen(path: path, reason: error.description)
    }
    do {
      try SchemaUpdate(connection: connection, now: .earliest).requireOwnDatabase()
      try connection.configureForWriting()
      // Indexes that are not in the order of the rows are written all over.
      try connection.execute("PRAGMA cache_size = -65536")
      try SchemaUpdate(connection: connection, now: WallClock.system.now).run(migrations)
      try connection.renewID(of: held)
      try held.file.syncFolder()
      try connection.execute("BEGIN IMMEDIATE")
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

  package func write(
    _ table: CopiedTable, _ rows: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    let places = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
    let insert = try connection.statement(
      built: "INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(places))")
    var values: [SQLiteValue] = []
    try rows { row in
      var reader = try RowBytesReader(row, of: table)
      values.removeAll(keepingCapacity: true)
      for column in table.columns { values.append(try SQLiteValue(reader.next(), column.kind)) }
      guard reader.isAtEnd else { throw CopyError.malformedRow(table: table.name) }
      try insert.run(values)
    }
  }

  package func setLastNumber(
    _ number: Int64, of numbering: CopiedTable.Numbering, in table: CopiedTable
  ) throws {
    guard numbering.isFromRowNumbers else { return }
    try connection.statement("UPDATE row_numbers SET last_number = max(last_number, ?1)").run([
      .integer(number)
    ])
  }

  package func prepareToRead() throws {}

  package func commit() throws {
    try connection.execute("COMMIT")
    isNew = false
    // Of no consequence if it fails: everything in the log is committed.
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  package func close() {
    if connection.isInTransaction { try? connection.execute("ROLLBACK") }
    connection.close()
    if isNew {
      for suffix in ["", "-wal", "-shm"] { unlink(held.file.path + suffix) }
    }
    held.release()
  }
}
