import CSQLite
import Glibc
import Metrics
import Synchronization
import Threads
import TimeclockDomain

/// The one thread that writes. It takes short writes that wait, runs each in a savepoint of its own inside one
/// transaction, commits once, and then answers all of them: a write that is answered is on disk, and many share the
/// wait for it. Long ones have their turns between (`WaitingWrites`).
///
/// `@unchecked Sendable`: `connection`, `numbers`, `grownLogs`, `log` and `waiting` are touched by the writer's thread only, from
/// its start to its end; other threads touch only the queue, the atomic and the mutex.
final class SQLiteWriter: @unchecked Sendable {
  private let connection: SQLiteConnection
  private let readers: SQLiteReaderPool
  private let numbers: RowNumbers
  private let grownLogs: GrownLogs
  private let log: WriteAheadLog
  private let sync: BackgroundSync
  private let queue = WorkQueue<any PendingWrite>()
  private var waiting = WaitingWrites(now: .now)
  private let held: HeldDatabase
  private let watch: FileWatch
  private let isFailed = Atomic(false)
  private let reports: StorageReports
  private let end = WriterEnd()
  private let metrics: StorageMetrics?

  /// Starts the thread, which owns the connection from now on.
  ///
  /// - Throws: `SQLiteError`, `SQLiteStorageError`, `ThreadStartError`; then the connection is still the caller's.
  init(
    connection: SQLiteConnection, held: HeldDatabase, readers: SQLiteReaderPool,
    logLimits: WriteAheadLog.Limits, changeBus: ChangeBus, reports: StorageReports, metrics: StorageMetrics?
  ) throws {
    self.connection = connection
    self.metrics = metrics
    self.held = held
    self.readers = readers
    self.reports = reports
    watch = try FileWatch(held)
    numbers = try RowNumbers(on: connection)
    grownLogs = GrownLogs(announcingOn: changeBus)
    log = WriteAheadLog(of: connection, path: held.file.path, limits: logLimits)
    sync = try BackgroundSync { held.syncFile() }
    do {
      let thread = try NamedThread(name: "sqlite-writer", precedence: .prompt) { [self] in run() }
      end.thread.withLock { $0 = thread }
    } catch {
      sync.close()
      throw error
    }
  }

  /// Runs `body` in a transaction; returns when it is committed and on disk.
  ///
  /// - Parameters:
  ///   - length: The time that `body` takes, and the organization that it is for.
  ///   - onCommit: Called after the commit and before this returns, unless `body` threw.
  /// - Throws: Any error of `body`, and then nothing of it is done; `TimeclockError.unavailable`, `.storageFull`.
  func write<Value: Sendable>(
    _ length: WriteLength = .short(nil), onCommit: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value
  ) async throws -> Value {
    let start = metrics.map { _ in StorageMetrics.now }
    defer { if let metrics, let start { metrics.writes.observe(since: start) } }
    return try await withUnsafeThrowingContinuation { continuation in
      enqueue(AwaitedWrite(length: length, body: body, onCommit: onCommit, continuation: continuation))
    }
  }

  /// Runs a short `body` of the service itself in a transaction some time soon; nobody learns whether it worked.
  ///
  /// - Parameter onEnd: Called once it was committed, or was not.
  func writeSoon(
    _ body: @escaping @Sendable (SQLiteTransaction) throws -> Void,
    onEnd: @escaping @Sendable (_ isCommitted: Bool) -> Void
  ) {
    enqueue(UnawaitedWrite(body: body, onEnd: onEnd))
  }

  /// Whether the database can still be trusted.
  var isUsable: Bool { !isFailed.load(ordering: .acquiring) }

  /// Refuses everything from now on.
  private func fail() {
    guard !isFailed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    reports.onFailure()
  }

  /// Refuses everything from now on because the file is damaged, and has the next start look at all of it.
  private func fail(damage: SQLiteError) {
    guard isUsable else { return }
    reports.alarm("The database is damaged, and the service ends: \(damage).")
    do { try held.setDamaged(true) } catch { reports.error("The damage could not be noted: \(error)") }
    fail()
  }

  /// Whether the files are still those that were opened; otherwise nothing that is written to them lasts, and
  /// everything is refused from now on.
  private func checkFiles() -> Bool {
    guard isUsable else { return false }
    guard let difference = watch.difference() else { return true }
    reports.alarm("\(difference.sentence) The service ends.")
    if difference.isLostLog { saveLog() }
    fail()
    return false
  }

  /// Moves the log, which has no name any more, into the database, and has the next start take no other for it.
  private func saveLog() {
    readers.renewSnapshots()
    let outcome = log.checkpointAndTruncate()
    reports.error(
      "The changes in it \(outcome.isComplete ? "are in the database now" : "may be lost: \(outcome.fault)")."
    )
    do { try held.distrustLog() } catch { reports.error("The lock's note could not be written: \(error)") }
  }

  /// Finishes queued writes, moves the log into the database unless that failed, closes the connection and ends the
  /// thread. Call it once.
  func close() async {
    await withUnsafeContinuation { continuation in
      end.continuation.withLock { $0 = continuation }
      queue.close()
    }
    end.thread.withLock { $0 }?.join()
  }

  private func enqueue(_ write: any PendingWrite) {
    guard isUsable, queue.append(write) else {
      write.finish(failure: TimeclockError.unavailable(retryAfterSeconds: 1))
      return
    }
  }

  private func run() {
    var isOpen = true
    while isOpen || !waiting.isEmpty {
      // In the pause behind a long write its pages are moved, so that many of them do not leave 64 MB to be moved at once.
      let movesLog = log.isWorthMoving && waiting.isPausing(now: .now)
      let pause = movesLog ? .zero : waiting.pause(now: .now)
      let arrived = queue.takeAll(timeout: pause ?? (isUsable ? log.waitBeforeCheckpoint : nil))
      isOpen = arrived != nil
      let now = ContinuousClock.now
      waiting.add(arrived ?? [], now: now)
      if !isOpen { waiting.endPause(now: now) }
      checkSync()
      let isTooLong = log.isTooLong(whileSyncing: sync.isRunning)
      if isTooLong || isOpen && (waiting.isEmpty || movesLog && waiting.isPausing(now: now)) {
        checkpoint(isUrgent: isTooLong && !waiting.isEmpty)
      } else if log.hasPart {
        movePart()
      }
      let share = waiting.share(now: now)
      if let write = waiting.takeLong(now: now) {
        commit(write, share)
        waiting.noteLong(began: now, ended: .now)
      } else if let write = waiting.takeShort(for: share) {
        commit(write, share)
      }
    }
    // SQLite removes the log by its name when it has moved it: not if that is another file by now.
    sync.close()
    checkSync()
    if checkFiles() { note(checkpoint: log.checkpointAndTruncate()) }
    if !isUsable { log.keepOnClose() }
    log.close()
    connection.close()
    end.continuation.withLock { $0 }?.resume()
  }

  /// Runs and commits a long write by itself, or a short one and the others that its commit has room for.
  private func commit(_ first: any PendingWrite, _ share: CommitShare) {
    guard isUsable else {
      first.finish(failure: TimeclockError.unavailable(retryAfterSeconds: 1))
      return
    }
    var share = share
    var batch = [first]
    do {
      try connection.statement("BEGIN IMMEDIATE").run()
      if first.length.isLong || waiting.shortCount == 0 {
        try first.execute(transaction)
      } else {
        try execute(first)
        share.end(first.length.organization, now: .now)
        while let write = waiting.takeShort(for: share) {
          batch.append(write)
          try execute(write)
          share.end(write.length.organization, now: .now)
        }
      }
      try numbers.save(on: connection)
    } catch {
      rollBack()
      let failure = refusal(for: error)
      for write in batch { write.finish(failure: failure) }
      return
    }
    do {
      try readers.duringCommit { try connection.commit() }
    } catch {
      failCommit(batch, error)
      return
    }
    guard checkFiles() else {
      for write in batch { write.finish(failure: TimeclockError.unavailable(retryAfterSeconds: 1)) }
      return
    }
    numbers.noteCommit()
    metrics?.commits.observe(batch.count)
    for write in batch { write.finish() }
    grownLogs.announce()
  }

  private var transaction: SQLiteTransaction {
    SQLiteTransaction(connection: connection, numbers: numbers, grownLogs: grownLogs)
  }

  /// Runs one write in its savepoint. Throws only if the whole transaction is lost.
  private func execute(_ write: any PendingWrite) throws {
    try connection.statement("SAVEPOINT write").run()
    do {
      try write.execute(transaction)
    } catch let error as SQLiteError where !connection.isInTransaction || error.losesTransaction {
      throw error
    } catch {
      write.note(failure: refusal(for: error))
      try connection.statement("ROLLBACK TO write").run()
    }
    try connection.statement("RELEASE write").run()
  }

  /// A full disk undoes the transaction for certain. After any other failure of COMMIT the state on disk is unknown:
  /// the log may hold the commit although its fsync failed. Nothing is promised any more.
  private func failCommit(_ batch: [any PendingWrite], _ error: any Error) {
    let fault = (error as? SQLiteError) ?? SQLiteError(code: SQLITE_ERROR)
    let isUndone = [SQLITE_FULL, SQLITE_BUSY].contains(fault.primaryCode)
    reports.error(
      "A commit failed, and \(isUndone ? "is undone" : "nobody knows what is on disk"): \(fault).")
    rollBack()
    if !isUndone { fail() }
    let failure = isUndone ? fault.refusal : TimeclockError.unavailable(retryAfterSeconds: 1)
    for write in batch { write.finish(failure: failure) }
  }

  /// Undoes the transaction, unless SQLite has done so by itself.
  private func rollBack() {
    if connection.isInTransaction { _ = try? connection.statement("ROLLBACK").run() }
    if connection.isInTransaction {
      reports.error("A transaction could not be undone.")
      fail()
    }
    numbers.noteRollback()
    grownLogs.drop()
  }

  private func refusal(for error: any Error) -> any Error {
    guard let error = error as? any StorageFault else { return error }
    reports.error("A write failed: \(error).")
    if error.isCorruption, let damage = error as? SQLiteError { fail(damage: damage) }
    return error.refusal
  }

  private func checkpoint(isUrgent: Bool) {
    guard checkFiles() else { return }
    note(checkpoint: log.checkpoint(isUrgent: isUrgent, renewSnapshots: readers.renewSnapshots))
  }

  /// Moves a part of the log, in a time that a request does not feel.
  private func movePart() {
    guard checkFiles(), let outcome = log.movePart(renewSnapshots: readers.renewSnapshots) else { return }
    note(checkpoint: outcome)
    if isUsable, outcome.fault.code == SQLITE_OK { sync.start() }
  }

  /// After an error of the disk beside the writer, refuses everything, as after one in a checkpoint.
  private func checkSync() {
    guard let failure = sync.takeFailure(), isUsable else { return }
    reports.error("The database could not be written to disk: \(String(cString: strerror(failure))).")
    fail()
  }

  /// Readers that are in a checkpoint's way are no failure: the next one moves the rest. Nor is a full disk. After an
  /// error of the disk, however, the pages that are in memory may not be on disk, and SQLite would not write those
  /// again that an earlier checkpoint wrote without waiting for the disk: only a new start writes all of the log into
  /// the database once more.
  private func note(checkpoint outcome: CheckpointOutcome) {
    let fault = outcome.fault
    if outcome.isComplete {
      do { try held.settleID() } catch { reports.error("The lock's note could not be written: \(error)") }
    }
    guard ![SQLITE_OK, SQLITE_BUSY].contains(fault.primaryCode) else { return }
    reports.error("A checkpoint failed: \(fault).")
    if fault.isCorruption { fail(damage: fault) }
    if fault.primaryCode == SQLITE_IOERR { fail() }
  }
}

/// The parts of a writer that are needed to wait for its end.
private final class WriterEnd: Sendable {
  let thread = Mutex<NamedThread?>(nil)
  let continuation = Mutex<UnsafeContinuation<Void, Never>?>(nil)
}
