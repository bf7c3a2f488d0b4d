import CSQLite
import SchemaMigrations
import Synchronization
import Threads
import TimeclockDomain

/// The storage on an SQLite file.
///
/// One process holds the file at a time. All writes go through one thread and are on disk when they return;
/// reads run where they are called, on read-only connections.
package final class SQLiteStorage: Storage {
  let writer: SQLiteWriter
  let readers: SQLiteReaderPool
  let identifiers = PublicIdentifiers()
  let access = AccessCache()
  /// Tokens whose use is about to be written down.
  let notedTokens = Mutex<Set<Int64>>([])
  private let lock: DatabaseLock

  /// The version of the SQLite library in use.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  private init(writer: SQLiteWriter, readers: SQLiteReaderPool, lock: DatabaseLock) {
    self.writer = writer
    self.readers = readers
    self.lock = lock
  }

  /// Opens the file, makes it where there is none, and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - path: The file. Beside it SQLite keeps `-wal` and `-shm`, and the storage its `.lock`.
  ///   - now: Stamps migrations.
  ///   - onFailure: Called at most once, from the writer's thread, when nobody can tell any more what is on
  ///     disk. From then on everything throws `.unavailable`; only opening the file anew helps.
  /// - Throws: `SQLiteStorageError`; `ThreadStartError`.
  package static func open(
    path: String, now: Instant = WallClock.system.now, onFailure: @escaping @Sendable () -> Void
  ) throws -> SQLiteStorage {
    // Counting memory would make every thread wait for one lock; nobody asks for the count.
    sqlite_configure_without_memory_status()
    let lock = try DatabaseLock(path: path)
    do {
      try DatabaseFile.create(path)
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      do {
        try configure(connection)
        try SchemaUpdate(connection: connection, now: now).run(SchemaMigrations.sqlite)
        try DatabaseFile.syncFolder(of: path)
        let readers = SQLiteReaderPool(path: path)
        let writer = try SQLiteWriter(connection: connection, readers: readers, onFailure: onFailure)
        return SQLiteStorage(writer: writer, readers: readers, lock: lock)
      } catch {
        connection.close()
        throw error
      }
    } catch let error as SQLiteError {
      lock.release()
      throw SQLiteStorageError.cannotOpen(path: path, reason: error.description)
    } catch {
      lock.release()
      throw error
    }
  }

  /// Durability is read back: a commit is only worth its name with these.
  private static func configure(_ connection: SQLiteConnection) throws {
    guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
      throw SQLiteStorageError.settingRefused("journal_mode = WAL")
    }
    try connection.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
      PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -8192
      """)
    for (setting, value) in [("synchronous", "2"), ("foreign_keys", "1")]
    where try connection.text("PRAGMA \(setting)") != value {
      throw SQLiteStorageError.settingRefused(setting)
    }
  }

  package func checkReadiness() async throws {
    guard writer.isUsable else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
    try await writer.write { _ in }
    _ = try await read {
      try $0.statement("SELECT last_number FROM entry_numbers").first([]) { $0.integer(0) }
    }
  }

  package func close() async {
    readers.close()
    writer.close()
    lock.release()
  }

  /// Runs a write that may change what a token stands for: once it returns, nobody is let in by what was
  /// true before.
  func changeAccess<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value
  ) async throws -> Value {
    try await writer.write(onCommit: { [access] in access.invalidate() }, body)
  }

  /// Runs a read in place, on the calling thread.
  func read<Value>(_ body: (SQLiteConnection) throws -> Value) async throws -> Value {
    guard writer.isUsable else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
    do {
      return try readers.read(body)
    } catch let error as SQLiteError {
      throw error.refusal
    }
  }
}
