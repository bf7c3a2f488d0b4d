import CSQLite
import Synchronization
import TimeclockDomain

/// Read-only connections, given to whoever reads and taken back right after.
///
/// Reads are synchronous: a thread holds a connection only while it runs on, so there are never more taken
/// than there are threads that read, and as the last one given back is the first one taken, an event loop
/// works with what is in effect its own.
///
/// A connection keeps the snapshot of its last read as long as nothing was committed since: taking a new one
/// costs four system calls, as much as a point read itself. The writer ends the snapshots of idle
/// connections before it checkpoints, so none holds the log back.
final class SQLiteReaderPool: Sendable {
  /// A connection, and the commit after which its open snapshot was taken; nil without one.
  private struct Reader {
    let connection: SQLiteConnection
    var snapshot: UInt64?
  }

  private struct State {
    var idle: [Reader] = []
    var isClosed = false
  }

  private let path: String
  private let state = Mutex(State())
  /// Counts the commits. Advanced after a commit and before it is answered, so that whoever has the answer
  /// reads what was committed.
  private let commits = Atomic<UInt64>(0)

  init(path: String) {
    self.path = path
  }

  /// Runs `body` with a connection of its own.
  ///
  /// - Throws: What `body` throws; `TimeclockError.unavailable` once the pool is closed.
  func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    var reader = try take()
    defer { giveBack(reader) }
    // Read before the snapshot is taken: it then holds this commit at least.
    let latest = commits.load(ordering: .acquiring)
    if reader.snapshot != latest {
      try endSnapshot(&reader)
      try reader.connection.statement("BEGIN").run()
      reader.snapshot = latest
    }
    do {
      return try body(reader.connection)
    } catch let error as SQLiteError {
      // What SQLite could not read it may not hold on to.
      try? endSnapshot(&reader)
      throw error
    }
  }

  /// To be called after each commit, before it is answered.
  func noteCommit() {
    commits.add(1, ordering: .releasing)
  }

  /// Lets go of the snapshots of connections that nobody uses.
  func endIdleSnapshots() {
    var idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for index in idle.indices {
      try? endSnapshot(&idle[index])
      giveBack(idle[index])
    }
  }

  /// Closes the connections that nobody uses; the others are closed when they are given back.
  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    for reader in idle { reader.connection.close() }
  }

  private func endSnapshot(_ reader: inout Reader) throws {
    guard reader.snapshot != nil else { return }
    reader.snapshot = nil
    if reader.connection.isInTransaction { try reader.connection.statement("ROLLBACK").run() }
  }

  private func take() throws -> Reader {
    let idle = try state.withLock { state in
      guard !state.isClosed else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
      return state.idle.popLast()
    }
    return try idle ?? Reader(connection: open())
  }

  private func giveBack(_ reader: Reader) {
    let isKept = state.withLock { state in
      if !state.isClosed { state.idle.append(reader) }
      return !state.isClosed
    }
    if !isKept { reader.connection.close() }
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
