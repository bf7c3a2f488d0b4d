import CSQLite
import Synchronization
import TimeclockDomain

/// The length of a read. An event loop reads little at a time and the same again; a thread for reports and exports reads much, once.
enum ReadLength {
  case short
  case long
}

/// Read-only connections, lent to each read and taken back right after.
///
/// Reads are synchronous: a thread holds a connection only while it runs on, so there are never more taken than there
/// are threads that read, and as the last one given back is the first one taken, an event loop in effect works with its
/// own.
///
/// A connection keeps the snapshot of its last read until something is committed: taking a new one costs four system
/// calls, as much as a point read itself. Snapshots taken while a commit is under way are not kept: two readers could
/// otherwise see its outcome one after the other in the wrong order. Around a checkpoint the writer renews all
/// snapshots: an old one keeps the log from being moved, and one taken before all of it was moved keeps it from
/// restarting.
final class SQLiteReaderPool: Sendable {
  /// A connection, and the state of `commits` that its open snapshot holds at least; nil without one.
  private struct Reader {
    let connection: SQLiteConnection
    let length: ReadLength
    var snapshot: UInt64?
  }

  private struct State {
    var idle: [Reader] = []
    var openCount = 0
    var isClosed = false
  }

  private let path: String
  private let state = Mutex(State())
  /// Odd while a commit is under way, and greater after it than before. A snapshot that was taken at another
  /// value is never read again.
  private let commits = Atomic<UInt64>(0)

  /// The most connections open at once: far more than threads that read.
  private static let limit = 64

  init(path: String) {
    self.path = path
  }

  /// Runs `body` with a connection of its own, of those for reads of this length.
  ///
  /// - Throws: Any error of `body`; `TimeclockError.unavailable` once the pool is closed, or if more threads read at
  ///   once than there may be connections.
  func read<Value>(length: ReadLength = .short, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
    var reader = try take(length)
    defer { giveBack(reader) }
    // Read before the snapshot is taken, which then holds at least this.
    let latest = commits.load(ordering: .sequentiallyConsistent)
    if reader.snapshot != latest {
      try endSnapshot(of: &reader)
      try reader.connection.statement("BEGIN").run()
      reader.snapshot = latest
    }
    do {
      return try body(reader.connection)
    } catch {
      try? endSnapshot(of: &reader)
      throw error
    }
  }

  /// Runs the writer's COMMIT, so that a caller that has its answer reads the committed data.
  func duringCommit(_ commit: () throws -> Void) rethrows {
    commits.add(1, ordering: .sequentiallyConsistent)
    defer { commits.add(1, ordering: .sequentiallyConsistent) }
    try commit()
  }

  /// Ends the snapshots of connections that no read uses. Snapshots in use end with the read that is under way, and
  /// every later read begins with a new one. To be called by the writer, and not during its commit.
  func renewSnapshots() {
    commits.add(2, ordering: .sequentiallyConsistent)
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for reader in idle { giveBack(reader) }
  }

  /// Closes the connections that nobody uses; the others are closed when they are given back.
  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      state.openCount -= state.idle.count
      defer { state.idle = [] }
      return state.idle
    }
    for reader in idle { reader.connection.close() }
  }

  private func endSnapshot(of reader: inout Reader) throws {
    guard reader.snapshot != nil else { return }
    reader.snapshot = nil
    if reader.connection.isInTransaction { try reader.connection.statement("ROLLBACK").run() }
  }

  private func take(_ length: ReadLength) throws -> Reader {
    let idle = try state.withLock { state in
      guard !state.isClosed else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
      if let last = state.idle.lastIndex(where: { $0.length == length }) {
        return state.idle.remove(at: last) as Reader?
      }
      guard state.openCount < Self.limit else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
      state.openCount += 1
      return nil
    }
    if let idle { return idle }
    do {
      return Reader(connection: try .reader(path: path, for: length), length: length)
    } catch {
      state.withLock { $0.openCount -= 1 }
      throw error
    }
  }

  /// Takes a connection back, with its snapshot if that is still good. Both happen under the lock, so that
  /// `renewSnapshots` either finds the connection idle or is noticed here.
  private func giveBack(_ reader: Reader) {
    var reader = reader
    while !putBack(reader) { try? endSnapshot(of: &reader) }
  }

  /// False when the connection's snapshot has to be ended first.
  private func putBack(_ reader: Reader) -> Bool {
    let isKept: Bool? = state.withLock { state in
      if let snapshot = reader.snapshot {
        let latest = commits.load(ordering: .sequentiallyConsistent)
        guard snapshot == latest, snapshot & 1 == 0 else { return nil }
      }
      if state.isClosed { state.openCount -= 1 } else { state.idle.append(reader) }
      return !state.isClosed
    }
    if isKept == false { reader.connection.close() }
    return isKept != nil
  }
}

extension SQLiteConnection {
  /// Opens a connection that only reads. It never checkpoints, not even when it closes: see `WriteAheadLog`.
  static func reader(path: String, for length: ReadLength) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    do {
      guard sqlite3_wal_autocheckpoint(connection.handle, 0) == SQLITE_OK,
        sqlite_no_checkpoint_on_close(connection.handle) == SQLITE_OK
      else { throw SQLiteError(code: SQLITE_MISUSE) }
      try connection.execute(
        """
        PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0;
        PRAGMA cache_size = -\(length == .short ? PageCache.ofShortReads : PageCache.ofLongReads)
        """)
      return connection
    } catch {
      connection.close()
      throw error
    }
  }
}
