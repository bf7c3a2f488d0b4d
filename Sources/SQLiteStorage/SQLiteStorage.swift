import CSQLite
import Metrics
import Procedures
import SchemaMigrations
import Synchronization
import Threads
import TimeclockDomain

/// The storage on an SQLite file.
///
/// One process holds the file at a time. All writes go through one thread and are on disk when they return;
/// reads run where they are called, on read-only connections; long ones on threads of their own.
package final class SQLiteStorage: Storage {
  let changeBus: ChangeBus
  let timerAnnouncements = TimerAnnouncements()
  let writer: SQLiteWriter
  let readers: SQLiteReaderPool
  /// Threads for reads that take longer than an event loop may.
  let longReads: FairPool<OrganizationKey>
  let identifiers = PublicIdentifiers()
  let access = AccessCache()
  /// Tokens whose use is about to be recorded.
  let notedTokens = Mutex<Set<Int64>>([])
  private let held: HeldDatabase
  private let reports: StorageReports
  private let damage = DamageNotice()
  private let metrics: StorageMetrics?

  /// The version of the SQLite library in use.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// The absolute path of the file.
  package var path: String { held.file.path }

  /// Whether the file was made when it was opened.
  package var isNew: Bool { held.isNew }

  private init(
    writer: SQLiteWriter, changeBus: ChangeBus, readers: SQLiteReaderPool,
    longReads: FairPool<OrganizationKey>, held: HeldDatabase, reports: StorageReports,
    metrics: StorageMetrics?
  ) {
    self.changeBus = changeBus
    self.writer = writer
    self.readers = readers
    self.longReads = longReads
    self.held = held
    self.reports = reports
    self.metrics = metrics
  }

  /// Opens the file, makes it if there is none, and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - path: The file. Beside it SQLite keeps `-wal` and `-shm`, and the storage its `.lock`.
  ///   - mayCreate: Whether to make the file if there is none.
  ///   - now: Stamps migrations.
  ///   - metrics: Counts reads, writes and commits; nil if nobody asks for the numbers.
  ///   - report: Called from any thread with a sentence for the log when a statement, a commit or a checkpoint fails
  ///     for another reason than a rule. Names result codes and columns, never row contents.
  ///   - alarm: Called from any thread with a sentence for the log when data is damaged or gone, and a person has to
  ///     look at once; `report` if it is left out.
  ///   - onFailure: Called at most once, from any thread, when the state on disk is unknown, or writes do not last.
  ///     From then on every call throws `.unavailable`; only reopening the file helps.
  /// - Throws: `SQLiteStorageError`; `ThreadStartError`.
  package static func open(
    path: String, mayCreate: Bool = true, now: Instant = WallClock.system.now, metrics: StorageMetrics? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in }, alarm: (@Sendable (String) -> Void)? = nil,
    onFailure: @escaping @Sendable () -> Void
  ) throws -> SQLiteStorage {
    try open(
      path: path, mayCreate: mayCreate, migrations: SchemaMigrations.sqlite,
      logLimits: WriteAheadLog.Limits(), now: now, metrics: metrics,
      reports: StorageReports(error: report, alarm: alarm ?? report, onFailure: onFailure))
  }

  /// Opens the file with other migrations and limits, for tests of them.
  static func open(
    path: String, mayCreate: Bool = true, migrations: [SchemaMigration], logLimits: WriteAheadLog.Limits,
    now: Instant, metrics: StorageMetrics? = nil, reports: StorageReports
  ) throws -> SQLiteStorage {
    let held = try HeldDatabase(path, access: .writing(mayCreate: mayCreate))
    do {
      let connection = try SQLiteConnection(path: held.file.path, isReadOnly: false, gathersLog: true)
      do {
        // Before anything is written to it.
        try SchemaUpdate(connection: connection, now: now).requireOwnDatabase()
        if held.wasDamaged {
          reports.error("The last process met damage, so the whole file is read first.")
          try connection.requireSound(held)
        }
        try connection.configureForWriting()
        try SchemaUpdate(connection: connection, now: now).run(migrations)
        try connection.giveLogEpoch()
        try connection.updateEmailKeys(report: reports.error)
        try connection.renewID(of: held)
        if !held.reserveIndex(pages: logLimits.most) {
          reports.error("The disk has no room for the log's index. It is made larger when it must be.")
        }
        try held.file.syncFolder()
        let readers = SQLiteReaderPool(path: held.file.path)
        let longReads = try FairPool<OrganizationKey>(
          name: "sqlite-reads", threadCount: 2, queueLimit: 1_000, queueLimitOfOne: 500, precedence: .behind)
        do {
          let changeBus = ChangeBus()
          let writer = try SQLiteWriter(
            connection: connection, held: held, readers: readers, logLimits: logLimits, changeBus: changeBus,
            reports: reports, metrics: metrics)
          return SQLiteStorage(
            writer: writer, changeBus: changeBus, readers: readers, longReads: longReads, held: held,
            reports: reports, metrics: metrics)
        } catch {
          longReads.stop()
          throw error
        }
      } catch {
        // The next start decides which commits of the log count.
        connection.keepLogOnClose()
        connection.close()
        throw error
      }
    } catch let error as SQLiteError {
      held.release()
      throw error.isCorruption
        ? SQLiteStorageError.damaged(path: path, reason: error.description)
        : SQLiteStorageError.cannotOpen(path: path, reason: error.description)
    } catch {
      held.release(isForeign: error as? SQLiteStorageError == .foreignDatabase)
      throw error
    }
  }

  /// True: no other program has the file.
  package func takesTurn(at work: SharedWork) async -> Bool { true }

  package func checkReadiness() async throws {
    guard !damage.isRecent else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
    try await writer.write(.short(nil)) { _ in }
    _ = try read {
      try $0.statement("SELECT last_number FROM row_numbers").first([]) { $0.integer(0) }
    }
  }

  package func close() async {
    longReads.stop()
    readers.close()
    access.invalidate()
    await writer.close()
    held.release()
  }

  /// Runs a write that the same request may ask for again.
  func write<Value: Sendable>(
    _ length: WriteLength, recording: AnswerRecording<Value>?,
    _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value
  ) async throws -> Value {
    try await writer.write(length) { transaction in
      try transaction.once(recording) { try body(transaction) }
    }
  }

  /// Throws `.unavailable` once the storage has failed or was closed.
  func requireUsable() throws {
    guard writer.isUsable else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
  }

  /// Runs a read in place, on the calling thread: a short one takes microseconds, a hop to another thread takes more.
  func read<Value>(length: ReadLength = .short, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
    try requireUsable()
    let start = metrics.map { _ in StorageMetrics.now }
    defer { if let metrics, let start { metrics.reads.observe(since: start) } }
    do {
      return try readers.read(length: length, body)
    } catch let fault as any StorageFault {
      if !fault.isCorruption {
        reports.error("A read failed: \(fault).")
      } else if damage.note() {
        reports.alarm("A read met damage in the database, and others may go on: \(fault).")
      }
      throw fault.refusal
    }
  }
}

extension SQLiteConnection {
  /// Settings of the connection that writes. Durability is read back: a commit is only worth its name with these
  /// (sqlite.org/pragma.html#pragma_synchronous). A log that a long read made longer than the 64 MB of
  /// `WriteAheadLog.Limits` gives the rest back when it restarts. Deleted data is overwritten: no anonymized person is
  /// to be found in free space.
  ///
  /// - Throws: `SQLiteStorageError.settingRefused`, `SQLiteError`.
  func configureForWriting() throws {
    try execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
      PRAGMA wal_autocheckpoint = 0; PRAGMA mmap_size = 0; PRAGMA cache_size = -8192;
      PRAGMA journal_size_limit = 67108864; PRAGMA secure_delete = ON
      """)
    for (setting, value) in [
      ("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("wal_autocheckpoint", "0"),
      ("secure_delete", "1"),
    ]
    where try text("PRAGMA \(setting)") != value {
      throw SQLiteStorageError.settingRefused(setting)
    }
  }
}
