import CSQLite
import Synchronization
import TimeclockDomain

/// Read-only connections, given to whoever reads and taken back right after.
///
/// Reads are synchronous: a thread holds a connection only while it runs on, so there are never more taken
/// than there are threads that read, and as the last one given back is the first one taken, an event loop
/// works with what is in effect its own.
final class SQLiteReaderPool: Sendable {
  private struct State {
    var idle: [SQLiteConnection] = []
    var isClosed = false
  }

  private let path: String
  private let state = Mutex(State())

  init(path: String) {
    self.path = path
  }

  /// Runs `body` with a connection of its own.
  ///
  /// - Throws: What `body` throws; `TimeclockError.unavailable` once the pool is closed.
  func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    let connection = try take()
    defer { giveBack(connection) }
    return try body(connection)
  }

  /// Closes the connections that nobody uses; the others are closed when they are given back.
  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    for connection in idle { connection.close() }
  }

  private func take() throws -> SQLiteConnection {
    let idle = try state.withLock { state in
      guard !state.isClosed else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
      return state.idle.popLast()
    }
    return try idle ?? open()
  }

  private func giveBack(_ connection: SQLiteConnection) {
    let isKept = state.withLock { state in
      if !state.isClosed { state.idle.append(connection) }
      return !state.isClosed
    }
    if !isKept { connection.close() }
  }

  /// A reader never checkpoints, not even when it closes: only the writer's connection may, because SQLite
  /// before 3.51.3 can corrupt a WAL that two connections work on (sqlite.org/wal.html).
  private func open() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    sqlite3_wal_autocheckpoint(connection.handle, 0)
    guard sqlite_no_checkpoint_on_close(connection.handle) == SQLITE_OK else {
      connection.close()
      throw SQLiteStorageError.settingRefused("no checkpoint on close")
    }
    try connection.execute(
      "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048")
    return connection
  }
}
