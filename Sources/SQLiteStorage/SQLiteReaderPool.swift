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
    var openCount = 0
    var isClosed = false
  }

  private let path: String
  private let state = Mutex(State())

  /// The most connections open at once: far more than threads that read.
  private static let limit = 64

  init(path: String) {
    self.path = path
  }

  /// Runs `body` with a connection of its own.
  ///
  /// - Throws: What `body` throws; `TimeclockError.unavailable` once the pool is closed, or where more
  ///   threads read at once than there may be connections.
  func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    let connection = try take()
    defer { giveBack(connection) }
    return try body(connection)
  }

  /// Closes the connections that nobody uses; the others are closed when they are given back.
  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      state.openCount -= state.idle.count
      defer { state.idle = [] }
      return state.idle
    }
    for connection in idle { connection.close() }
  }

  private func take() throws -> SQLiteConnection {
    let idle = try state.withLock { state in
      guard !state.isClosed else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
      if let idle = state.idle.popLast() { return idle as SQLiteConnection? }
      guard state.openCount < Self.limit else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
      state.openCount += 1
      return nil
    }
    if let idle { return idle }
    do {
      return try open()
    } catch {
      state.withLock { $0.openCount -= 1 }
      throw error
    }
  }

  private func giveBack(_ connection: SQLiteConnection) {
    let isKept = state.withLock { state in
      if state.isClosed { state.openCount -= 1 } else { state.idle.append(connection) }
      return !state.isClosed
    }
    if !isKept { connection.close() }
  }

  /// A reader never checkpoints, not even when it closes: see `WriteAheadLog`.
  private func open() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    do {
      guard sqlite3_wal_autocheckpoint(connection.handle, 0) == SQLITE_OK,
        sqlite_no_checkpoint_on_close(connection.handle) == SQLITE_OK
      else { throw SQLiteError(code: SQLITE_MISUSE) }
      try connection.execute(
        "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; PRAGMA cache_size = -2048"
      )
      return connection
    } catch {
      connection.close()
      throw error
    }
  }
}
