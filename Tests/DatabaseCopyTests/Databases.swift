import CSQLite
import DatabaseCopy
import PostgreSQLStorage
import PostgreSQLTestCluster
import Procedures
import TimeclockDomain

@testable import SQLiteStorage

/// A database that a test copies from or to.
enum Place: Sendable {
  case sqlite(String)
  case postgreSQL(String)

  static func newPostgreSQL() throws -> Place {
    .postgreSQL(try PostgreSQLTestCluster.shared.get().makeDatabase())
  }

  /// Copies as the command does.
  @discardableResult
  func copy(to target: Place, organization: OrganizationID? = nil) throws -> CopyResult {
    switch self {
    case .sqlite(let path):
      try Self.copy(from: SQLiteCopySource(path: path), to: target, organization)
    case .postgreSQL(let conninfo):
      try Self.copy(from: PostgreSQLCopySource(PostgreSQLLocation(conninfo)), to: target, organization)
    }
  }

  private static func copy(
    from source: some CopySource, to target: Place, _ organization: OrganizationID?
  ) throws -> CopyResult {
    defer { source.close() }
    switch target {
    case .sqlite(let path): return try run(source, organization) { try SQLiteCopyTarget(path: path) }
    case .postgreSQL(let conninfo):
      return try run(source, organization) { try PostgreSQLCopyTarget(PostgreSQLLocation(conninfo)) }
    }
  }

  private static func run<Source: CopySource, Target: CopyTarget>(
    _ source: Source, _ organization: OrganizationID?, _ open: () throws -> Target
  ) throws -> CopyResult {
    let scope = try CopyRun<Source, Target>.scope(of: organization, in: source)
    let target = try open()
    defer { target.close() }
    return try CopyRun(from: source, to: target) { _ in }.run(scope)
  }

  /// Opens the database as a server does.
  func open() throws -> any Storage {
    switch self {
    case .sqlite(let path): try SQLiteStorage.open(path: path) {}
    case .postgreSQL(let conninfo):
      try PostgreSQLStorage.open(PostgreSQLLocation(conninfo), connectionsPerLoop: 2) { _ in }
    }
  }

  /// Removes a PostgreSQL database; files go with their folder.
  func remove() {
    if case .postgreSQL(let conninfo) = self {
      try? PostgreSQLTestCluster.shared.get().removeDatabase(conninfo)
    }
  }
}

/// Returns the rows of a file as SQLite itself prints them, table by table, without any code of the copy.
///
/// - Parameter organization: The number of the only organization to print; all users are printed in any case.
func dump(_ path: String, organization: Int? = nil) throws -> [String: [String]] {
  let connection = try SQLiteConnection(path: path, isReadOnly: true)
  defer { connection.close() }
  let tables = try connection.statement(
    """
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
      AND name NOT IN ('schema_migrations', 'row_numbers', 'log_epoch')
    """
  ).all([]) { $0.text(0) }
  var rows: [String: [String]] = [:]
  for table in tables {
    let columns = try columns(of: table, on: connection)
    let row = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
    let number = columns.contains("organization_id") ? organization : nil
    let condition = number.map { "organization_id = \($0)" } ?? "TRUE"
    rows[table] = try connection.statement(
      built: "SELECT \(row) AS row FROM \(table) WHERE \(condition) ORDER BY row"
    ).all([]) { $0.text(0) }
  }
  return rows
}

/// The columns of a table in SQLite's catalog.
func columns(of table: String, on connection: SQLiteConnection) throws -> [String] {
  try connection.statement(built: "SELECT name FROM pragma_table_info('\(table)')").all([]) { $0.text(0) }
}
