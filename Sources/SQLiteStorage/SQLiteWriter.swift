import CSQLite
import Synchronization
import Threads
import TimeclockDomain

/// The one thread that writes. It takes all writes that wait, runs each in a savepoint of its own inside one
/// transaction, commits once, and then answers all of them: whoever is answered is on disk, and many share
/// the wait for it.
///
/// `@unchecked Sendable`: `connection`, `numbers` and `logPages` are touched by the writer's thread
/// only, from its start to its end; what other threads touch is the queue and the atomics.
final class SQLiteWriter: @unchecked Sendable {
  private let connection: SQLiteConnection
  private let readers: SQLiteReaderPool
  private let queue = WorkQueue<any PendingWrite>()
  private let isFailed = Atomic(false)
  private let onFailure: @Sendable () -> Void
  private var thread: NamedThread?
  private let numbers: EntryNumbers
  /// How many pages the write-ahead log has, as SQLite's hook puts it here at each commit. Lives from `init`
  /// to `deinit`, which the thread's hold on the writer puts after the connection's end.
  private let logPages: UnsafeMutablePointer<Int32>

  /// From this many pages on, the log is written back into the database when nothing else is to do.
  private static let quietCheckpointPages = 1_000
  /// From this many pages on (64 MB), it is written back even under load.
  private static let forcedCheckpointPages = 16_000
  /// How long nothing must have come for a moment to be quiet.
  private static let quietTime: Duration = .milliseconds(20)

  /// Starts the thread, which owns the connection from now on.
  init(
    connection: SQLiteConnection, readers: SQLiteReaderPool, onFailure: @escaping @Sendable () -> Void
  ) throws {
    self.connection = connection
    self.readers = readers
    self.onFailure = onFailure
    numbers = try EntryNumbers(on: connection)
    logPages = .allocate(capacity: 1)
    logPages.initialize(to: 0)
    sqlite_count_wal_pages(connection.handle, logPages)
    thread = try NamedThread(name: "sqlite-writer") { [self] in run() }
  }

  deinit {
    logPages.deallocate()
  }

  /// Runs `body` in a transaction; returns when it is committed and on disk.
  ///
  /// `onCommit` is called on the writer's thread between the commit and the return.
  ///
  /// - Throws: What `body` throws, and then nothing of it is done; `TimeclockError.unavailable`,
  ///   `.storageFull`.
  func write<Value: Sendable>(
    onCommit: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value
  ) async throws -> Value {
    try await withUnsafeThrowingContinuation { continuation in
      enqueue(AwaitedWrite(body: body, onCommit: onCommit, continuation: continuation))
    }
  }

  /// Runs `body` in a transaction some time soon; nobody learns whether it worked.
  func writeSoon(_ body: @escaping @Sendable (SQLiteTransaction) throws -> Void) {
    enqueue(UnawaitedWrite(body: body))
  }

  /// Whether the database can still be trusted.
  var isUsable: Bool { !isFailed.load(ordering: .acquiring) }

  /// Finishes what is queued, moves the log into the database, and ends the thread. Call it once.
  func close() {
    queue.close()
    thread?.join()
  }

  private func enqueue(_ write: any PendingWrite) {
    guard isUsable, queue.append(write) else {
      write.finish(failure: TimeclockError.unavailable(retryAfterSeconds: 1))
      return
    }
  }

  private func run() {
    while let batch = queue.takeAll(timeout: isCheckpointDue ? Self.quietTime : nil) {
      if batch.isEmpty || logPages.pointee >= Self.forcedCheckpointPages {
        checkpoint(SQLITE_CHECKPOINT_PASSIVE)
      }
      if !batch.isEmpty { commit(batch) }
    }
    if isUsable { checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }
    connection.close()
  }

  private var isCheckpointDue: Bool { isUsable && logPages.pointee >= Self.quietCheckpointPages }

  private func commit(_ batch: [any PendingWrite]) {
    guard isUsable else {
      for write in batch { write.finish(failure: TimeclockError.unavailable(retryAfterSeconds: 1)) }
      return
    }
    do {
      try connection.statement("BEGIN IMMEDIATE").run()
      for write in batch { try execute(write) }
      try numbers.save(on: connection)
    } catch {
      // What the transaction did is undone, whether by this or by SQLite itself.
      try? connection.statement("ROLLBACK").run()
      numbers.restore()
      let failure = refusal(for: error)
      for write in batch { write.finish(failure: failure) }
      return
    }
    do {
      try connection.statement("COMMIT").run()
    } catch {
      failCommit(batch, error)
      return
    }
    readers.noteCommit()
    for write in batch { write.finish() }
  }

  /// Runs one write in its savepoint. Throws only where the whole transaction is lost.
  private func execute(_ write: any PendingWrite) throws {
    try connection.statement("SAVEPOINT write").run()
    let transaction = SQLiteTransaction(connection: connection, numbers: numbers)
    do {
      try write.execute(transaction)
    } catch let error as SQLiteError where !connection.isInTransaction || error.losesTransaction {
      throw error
    } catch {
      write.note(failure: error)
      try connection.statement("ROLLBACK TO write").run()
    }
    try connection.statement("RELEASE write").run()
  }

  /// A full disk undoes the transaction for certain. After any other failure of COMMIT nobody knows what is
  /// on disk: the log may hold the commit although its fsync failed. Nothing is promised any more.
  private func failCommit(_ batch: [any PendingWrite], _ error: any Error) {
    let isUndone =
      (error as? SQLiteError).map { [SQLITE_FULL, SQLITE_BUSY].contains($0.primaryCode) } ?? false
    try? connection.statement("ROLLBACK").run()
    numbers.restore()
    if !isUndone { fail() }
    let failure = refusal(for: error)
    for write in batch { write.finish(failure: failure) }
  }

  private func refusal(for error: any Error) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    if error.isCorruption { fail() }
    return error.refusal
  }

  private func fail() {
    guard !isFailed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    onFailure()
  }

  /// Moves the log into the database, as far as readers allow.
  private func checkpoint(_ mode: Int32) {
    readers.endIdleSnapshots()
    let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
    // The next commit starts the log anew where the checkpoint was complete, and says how long it is.
    logPages.pointee = 0
    if SQLiteError(code: code).isCorruption { fail() }
  }
}
