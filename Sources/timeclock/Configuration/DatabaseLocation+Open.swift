import Glibc
import Metrics
import PostgreSQLStorage
import Procedures
import SQLiteStorage
import TimeclockDomain

extension DatabaseLocation {
  /// Opens the database and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - connectionsPerLoop: The number of connections to PostgreSQL that each event loop has.
  ///   - requiresRowSecurity: Whether to refuse a database without row-level security, or a role that it does not hold.
  ///   - mayCreate: Whether to make the SQLite file if it does not exist.
  ///   - metrics: Counts the storage's work; nil if nobody asks for the numbers.
  ///   - patience: The time to wait for a process that holds the SQLite file and is no server, such as a command.
  ///   - whenInUse: The advice to a person when another process holds the SQLite file.
  ///   - whenWaiting: Called once with a sentence, if that is waited for.
  ///   - report: Called with a sentence for the log when the database fails; see `SQLiteStorage.open`.
  ///   - alarm: Called with a sentence for the log when a person has to look at once; `report` if it is left out.
  ///   - onFailure: Called once when the database can no longer be trusted.
  /// - Throws: `CommandError` with one line that states the fault and the remedy.
  func open(
    connectionsPerLoop: Int = 4, requiresRowSecurity: Bool = false, mayCreate: Bool = true,
    metrics: StorageMetrics? = nil, patience: Duration = .zero,
    whenInUse advice: String, whenWaiting: (String) -> Void = { _ in },
    report: @escaping @Sendable (String) -> Void,
    alarm: (@Sendable (String) -> Void)? = nil, onFailure: @escaping @Sendable () -> Void
  ) throws -> any Storage {
    switch self {
    case .sqlite(let path):
      guard !requiresRowSecurity else {
        throw CommandError(
          "SQLite has no row-level security: leave --require-row-security out, or use PostgreSQL.")
      }
      let deadline = ContinuousClock.now + patience
      var isWaiting = false
      while true {
        do {
          return try SQLiteStorage.open(
            path: path, mayCreate: mayCreate, metrics: metrics, report: report, alarm: alarm,
            onFailure: onFailure)
        } catch SQLiteStorageError.databaseInUse {
          let held = Self.resolved(path)
          guard ContinuousClock.now < deadline, !ControlSocket.isServed(ofDatabase: held) else {
            var error = CommandError(
              "Another process, most likely a server, holds the database \(path). \(advice)")
            error.heldDatabase = held
            throw error
          }
          if !isWaiting {
            whenWaiting(
              "another process, such as a command, holds the database: waiting for it, \(patience) at most")
          }
          isWaiting = true
          usleep(Self.pauseMicroseconds)
        }
      }
    case .postgreSQL(let location):
      return try PostgreSQLStorage.open(
        location, connectionsPerLoop: connectionsPerLoop, requiresRowSecurity: requiresRowSecurity,
        metrics: metrics, log: report)
    }
  }

  /// The time between two tries to open a file that another process holds.
  private static let pauseMicroseconds: UInt32 = 100_000

  /// The absolute path of a file that exists, without links in it.
  static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The database's library and its version, for the log.
  var library: (name: String, version: String) {
    switch self {
    case .sqlite: ("sqlite", SQLiteStorage.libraryVersion)
    case .postgreSQL: ("libpq", PostgreSQLStorage.libraryVersion)
    }
  }
}
