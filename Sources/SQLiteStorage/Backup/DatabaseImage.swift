import CSQLite
import Glibc

/// A copy of a whole database in one file of its own, under a name that nobody else uses, until it is given its place.
///
/// The file has no log and needs none: it is in rollback mode, which the next server changes.
struct DatabaseImage {
  /// The path at which the copy is made: beside the place that it is for, so that it can be renamed.
  let path: String

  /// Pages that are copied at once, a mebibyte of the usual ones.
  private static let pagesPerStep: Int32 = 256
  /// The number of steps after which the copied pages are written to the disk: the writer of the database waits for the
  /// same disk, and must not find all of the copy before it in the queue.
  private static let stepsPerSync = 4

  /// Makes the empty file, for its owner only.
  ///
  /// - Throws: `BackupError.cannotWrite`.
  init(beside place: DatabaseFile) throws {
    var random = SystemRandomNumberGenerator()
    path = place.path + ".partial-" + String(random.next() as UInt32, radix: 16)
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw BackupError.cannotWrite(path: path, reason: systemError()) }
    close(file)
  }

  /// Copies the source's moment, page by page, and returns when it is on disk.
  ///
  /// The source's transaction prevents commits by others, which would make SQLite restart the backup
  /// (sqlite.org/c3ref/backup_finish.html, "Concurrent Usage").
  ///
  /// - Parameter report: Called after each step with the pages that are done, and all.
  func write(_ source: SQLiteAuditedDatabase, report: (_ done: Int64, _ total: Int64) -> Void) throws {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw BackupError.cannotWrite(path: path, reason: systemError()) }
    // Not before SQLite has closed the file: that would drop its locks (sqlite.org/howtocorrupt.html, section 2.2).
    defer { close(file) }
    do {
      let target = try SQLiteConnection(path: path, isReadOnly: false)
      defer { target.close() }
      // Until it is whole it is nothing: it needs no way back, and is synced as a file.
      try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2048")
      try copyPages(from: source.connection, to: target, file, report)
      // The copy has the source's mode, and none of its identity.
      try target.execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = 0")
      do {
        try target.takeLogEpoch()
      } catch let error as SQLiteError where error.isCorruption {
        // The caller checks the copy for damage next, and reports where it is.
      }
    } catch let error as SQLiteError {
      throw BackupError.cannotWrite(path: path, reason: error.description)
    }
    guard fsync(file) == 0 else { throw BackupError.cannotWrite(path: path, reason: systemError()) }
  }

  private func copyPages(
    from source: SQLiteConnection, to target: SQLiteConnection, _ file: Int32,
    _ report: (_ done: Int64, _ total: Int64) -> Void
  ) throws {
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw SQLiteError(code: sqlite3_extended_errcode(target.handle))
    }
    var code: Int32
    var steps = 0
    repeat {
      code = sqlite3_backup_step(backup, Self.pagesPerStep)
      steps += 1
      if steps % Self.stepsPerSync == 0, fdatasync(file) != 0 {
        sqlite3_backup_finish(backup)
        throw BackupError.cannotWrite(path: path, reason: systemError())
      }
      let total = Int64(sqlite3_backup_pagecount(backup))
      report(total - Int64(sqlite3_backup_remaining(backup)), total)
    } while code == SQLITE_OK
    // The code of the failure, if any.
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw SQLiteError(code: end == SQLITE_OK ? code : end)
    }
  }

  /// Removes the file and its SQLite companions, unless it was moved to its place.
  func remove() {
    Self.remove(path)
  }

  static func remove(_ path: String) {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
  }
}

/// The system's message for the last failure.
func systemError() -> String {
  String(cString: strerror(errno))
}
