import CSQLite

/// The write-ahead log, as the writer sees it: its length, and the moments to move it into the database.
///
/// Only the writer's connection ever does that, between its own transactions: SQLite before 3.51.3 can corrupt a
/// database when one connection checkpoints while another commits and restarts the log (sqlite.org/wal.html, "the
/// WAL-reset bug").
///
/// Used by the writer's thread only.
final class WriteAheadLog {
  private let connection: SQLiteConnection
  /// The number of pages of the log, as SQLite's hook puts it here at each commit. Lives from `init` to `deinit`, which
  /// comes after the connection's end: the writer holds both, and closes the connection first.
  private let pages: UnsafeMutablePointer<Int32>
  private let limits: Limits
  private let mark: LogMark
  /// From this many pages on, the next part is moved.
  private var partPages: Int32
  /// From this many pages on, the next urgent checkpoint is tried.
  private var urgentPages: Int32

  /// The numbers of pages from which on the log is moved into the database, and the idle time after which it is moved
  /// with fewer.
  struct Limits: Sendable {
    /// From this many on, the log is moved when nothing else is to do.
    var quiet: Int32 = 1_000
    /// From this many on (64 MB), it is moved even under load.
    var urgent: Int32 = 16_000
    /// After this many further ones, under load, the part before the last such moment is moved.
    var part: Int32 = 500
    /// With fewer, it is moved when nothing has come for so long, so that the file itself has everything.
    var idleTime: Duration = .seconds(5)
    /// The number of further pages after which a checkpoint that readers held up is tried again.
    var retry: Int32 = 1_000

    /// The most pages that the log has, unless readers hold up checkpoints for long: a large import comes on top.
    var most: Int { Int(urgent) + 8 * Int(retry) }
  }

  /// The time for which an urgent checkpoint waits for readers, in milliseconds. Reads take less than one.
  private static let readerWait: Int32 = 50

  init(of connection: SQLiteConnection, path: String, limits: Limits) {
    self.connection = connection
    self.limits = limits
    urgentPages = limits.urgent
    partPages = limits.part
    mark = LogMark(path: path)
    pages = .allocate(capacity: 1)
    pages.initialize(to: 0)
    sqlite_count_wal_pages(connection.handle, pages)
  }

  deinit {
    pages.deallocate()
  }

  /// The time in which nothing must have come for the log to be moved; nil if there is nothing to move.
  var waitBeforeCheckpoint: Duration? {
    switch pages.pointee {
    case ..<1: nil
    case limits.quiet...: Self.quietTime
    default: limits.idleTime
    }
  }

  /// The time in which nothing must have come for a moment to be quiet.
  private static let quietTime: Duration = .milliseconds(20)

  /// Whether the log must be moved now. While the file is being written to disk anyhow, it may grow a little more, so
  /// that there is less to wait for.
  func isTooLong(whileSyncing isSyncing: Bool) -> Bool {
    pages.pointee >= urgentPages + (isSyncing ? 4 * limits.retry : 0)
  }

  /// Whether so much has come that a part of the log should be moved.
  var hasPart: Bool { pages.pointee >= partPages && pages.pointee < urgentPages }

  /// Moves the part of the log that stood there at the last call into the database's file, without waiting for the disk.
  /// Pages that were written again since then are left to a later part.
  ///
  /// - Parameter renewSnapshots: As for `checkpoint`.
  /// - Returns: The outcome; nil if nothing stood there yet.
  func movePart(renewSnapshots: () -> Void) -> CheckpointOutcome? {
    var outcome: CheckpointOutcome?
    if mark.isSet {
      renewSnapshots()
      outcome = connection.moveLog(SQLITE_CHECKPOINT_PASSIVE)
    }
    // Without a mark, such as for want of a descriptor, the log is moved when it is too long.
    try? mark.set()
    // Before all of it is moved and waited for, the parts are smaller, so that little is left for that.
    let isNearEnd = limits.urgent - pages.pointee <= 2 * limits.part
    partPages = pages.pointee + (isNearEnd ? max(limits.part / 4, 1) : limits.part)
    return outcome
  }

  /// Whether the log is long enough to be moved if others do not wait for it.
  var isWorthMoving: Bool { pages.pointee >= limits.quiet }

  /// Moves the log into the database as far as readers allow; the next commit then restarts it, unless a reader still
  /// uses it. An urgent checkpoint waits for such readers.
  ///
  /// A reader that begins once all of the log is in the database does not look into the log, and so does not keep it
  /// (sqlite.org/walformat.html, section 2.3.1). That is why snapshots are renewed twice: before, for the log to be
  /// moved, and after, for it to restart.
  ///
  /// - Parameter renewSnapshots: Lets go of the readers' snapshots; reads that are under way end by themselves.
  /// - Returns: The outcome: SQLITE_BUSY if an urgent checkpoint waited for readers in vain.
  func checkpoint(isUrgent: Bool, renewSnapshots: () -> Void) -> CheckpointOutcome {
    if isUrgent { sqlite3_busy_timeout(connection.handle, Self.readerWait) }
    defer { if isUrgent { sqlite3_busy_timeout(connection.handle, SQLiteConnection.busyTimeout) } }
    mark.clear()
    renewSnapshots()
    var outcome = connection.moveLog(isUrgent ? SQLITE_CHECKPOINT_FULL : SQLITE_CHECKPOINT_PASSIVE)
    renewSnapshots()
    if isUrgent, outcome.fault.code == SQLITE_OK { outcome = connection.moveLog(SQLITE_CHECKPOINT_RESTART) }
    // Until a commit says otherwise, a log that was moved counts as empty; one that was not is left alone
    // for a while, so that a hindrance that lasts does not cost every commit a checkpoint.
    urgentPages =
      outcome.fault.code == SQLITE_OK || !isUrgent
      ? limits.urgent : max(limits.urgent, pages.pointee &+ limits.retry)
    // A quiet one that readers held up is tried again when nothing has come for the idle time.
    let isHeldUp = !outcome.isComplete && [SQLITE_OK, SQLITE_BUSY].contains(outcome.fault.primaryCode)
    pages.pointee = !isUrgent && isHeldUp ? 1 : 0
    partPages = limits.part
    return outcome
  }

  /// Moves the whole log into the database and empties its file; to be called last.
  func checkpointAndTruncate() -> CheckpointOutcome {
    mark.clear()
    return connection.moveLog(SQLITE_CHECKPOINT_TRUNCATE)
  }

  /// Closes everything else that is open beside the writer's connection. Call it before that is closed.
  func close() {
    mark.close()
  }

  /// Leaves the log as it is when the connection is closed. After a commit of unknown outcome only the next start may
  /// decide which part counts: it reads the disk, this process only its belief of it.
  func keepOnClose() {
    connection.keepLogOnClose()
  }
}
