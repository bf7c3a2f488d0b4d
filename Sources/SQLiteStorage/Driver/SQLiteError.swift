import CSQLite

/// The answer of SQLite, by its extended result code (sqlite.org/rescode.html). Holds no SQL and no values.
struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The extended result code.
  let code: Int32

  /// The primary result code: the low eight bits.
  var primaryCode: Int32 { code & 0xFF }

  /// Whether the file is no database, or an encrypted one.
  var isNotDatabase: Bool { primaryCode == SQLITE_NOTADB }

  var description: String { "SQLite error \(code): \(String(cString: sqlite3_errstr(code)))" }
}

/// A row holds something that this program never writes.
struct MalformedRow: Error, Hashable, CustomStringConvertible {
  /// The table's column, never its value.
  let column: String

  var description: String { "A row's column \(column) holds what this program never writes" }
}

/// The reasons why a database cannot be opened. Each description is one line for the operator of the program.
package enum SQLiteStorageError: Error, Hashable, CustomStringConvertible {
  /// Another process holds the database.
  case databaseInUse
  /// The path names nothing that lasts, such as a database in memory.
  case unsupportedPath
  /// The file cannot be opened or made; `reason` is the system's or SQLite's word for why.
  case cannotOpen(path: String, reason: String)
  /// There is no file, and none is to be made.
  case noDatabase(path: String)
  /// There is a log with changes, but no database that it belongs to, or an empty one.
  case logWithoutDatabase(path: String)
  /// The log beside the file is another database's.
  case logOfOtherDatabase(path: String)
  /// The file is damaged.
  case damaged(path: String, reason: String)
  /// The file is a database of another program.
  case foreignDatabase
  /// The file is no database.
  case notDatabase(path: String, OtherFile)
  /// The database was written by a later version of the program.
  case schemaIsNewer(database: Int64, program: Int64)
  /// The database was written by an earlier version of the program, and is not to be changed now.
  case schemaIsOlder(database: Int64, program: Int64)
  /// The database was made by a build from before version 0.1, and is left as it is.
  case schemaIsUnreleased
  /// A migration that the database went through is not the one that this program has.
  case migrationDiffers(number: Int64)
  /// A setting that durability depends on did not take effect.
  case settingRefused(String)

  /// The kind of a file that is no database.
  package enum OtherFile: Hashable, Sendable {
    /// It is empty, and no database is to be made.
    case empty
    case postgreSQLDump
    case unknown
  }

  /// Whether a person must decide: restarting does not help.
  package var needsPerson: Bool {
    switch self {
    case .logWithoutDatabase, .logOfOtherDatabase, .damaged, .foreignDatabase, .notDatabase,
      .schemaIsUnreleased:
      true
    default: false
    }
  }

  package var description: String {
    switch self {
    case .databaseInUse:
      "Another process holds the database."
    case .unsupportedPath:
      "The database must be a file; one in memory is not supported."
    case .cannotOpen(let path, let reason):
      "The database \(path) cannot be opened: \(reason)."
    case .noDatabase(let path):
      "There is no database \(path)."
    case .logWithoutDatabase(let path):
      """
      The database \(path) is missing or empty, but \(path)-wal holds changes of it: put the file back that they belong to, or \
      a back-up, and then remove \(path)-wal and \(path)-shm.
      """
    case .logOfOtherDatabase(let path):
      """
      The database \(path) is not the one that was last used here, as if it were a copy that was put back, but \(path)-wal \
      holds changes of the other one: move \(path)-wal and \(path)-shm away; or, if you are certain that they belong to \
      this file, move \(path).lock away.
      """
    case .damaged(let path, let reason):
      "The database \(path) is damaged (\(reason)): restore a back-up."
    case .foreignDatabase:
      "The file is a database of another program: name another one."
    case .notDatabase(let path, .empty):
      "The file \(path) is empty, and no database is to be made."
    case .notDatabase(let path, .postgreSQLDump):
      """
      The file \(path) is no SQLite database but a dump of PostgreSQL: put it back into PostgreSQL (docs/postgresql.md), and \
      name that database.
      """
    case .notDatabase(let path, .unknown):
      "The file \(path) is no SQLite database, or an encrypted one: name another one. Nothing was done to it."
    case .schemaIsNewer(let database, let program):
      "The database has schema \(database), and this program knows \(program): use a newer program."
    case .schemaIsOlder(let database, let program):
      """
      The database has schema \(database), and this program needs \(program): start this program's server on it \
      once.
      """
    case .schemaIsUnreleased:
      """
      The database was made by a build from before version 0.1, whose schema this program does not take over. Nothing was \
      done to it: serve it with that build (docs/backing-up.md).
      """
    case .migrationDiffers(let number):
      "The database's schema migration \(number) is not the one of this program."
    case .settingRefused(let setting):
      "SQLite did not take the setting \(setting)."
    }
  }
}
