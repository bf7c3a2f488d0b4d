import Glibc
import Synchronization

/// Keeps a second process from the database: an exclusive flock(2) on a file beside it, which the system
/// lets go of when the process ends, however it ends. The file holds a note for the next process.
final class DatabaseLock: Sendable {
  private let path: String
  private let descriptor: Mutex<Int32?>
  /// Whether there was no file before.
  let isNew: Bool

  /// Takes the lock, or fails at once. It belongs to the open file, so it also keeps out a second opening by
  /// the same process, and a process that was forked and replaced does not hold it (O_CLOEXEC).
  ///
  /// - Throws: `SQLiteStorageError.databaseInUse`, `.cannotOpen`.
  init(path: String) throws {
    self.path = path
    let made = open(path + ".lock", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    isNew = made >= 0
    let file = isNew ? made : open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw SQLiteStorageError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      Glibc.close(file)
      throw SQLiteStorageError.databaseInUse
    }
    descriptor = Mutex(file)
  }

  /// The note that the last process left; an empty one if it left none.
  func readNote() -> LockNote {
    var bytes = [UInt8](repeating: 0, count: LockNote.byteCount)
    let count = descriptor.withLock { $0.map { pread($0, &bytes, LockNote.byteCount, 0) } ?? 0 }
    return LockNote(bytes: Array(bytes.prefix(max(count, 0))))
  }

  /// Writes the note over the one before, in place because the file is the lock, and waits until it is on disk. A power
  /// cut leaves one or the other, or, if the disk tears a sector, an unreadable one, which says nothing.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`.
  func write(_ note: LockNote) throws {
    let bytes = note.bytes
    let isWritten = descriptor.withLock { descriptor in
      guard let descriptor else { return false }
      return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count && fsync(descriptor) == 0
    }
    guard isWritten else {
      throw SQLiteStorageError.cannotOpen(path: path + ".lock", reason: String(cString: strerror(errno)))
    }
  }

  /// The result of fstat(2) for the lock's file.
  var status: stat? {
    var status = stat()
    return descriptor.withLock { $0.map { fstat($0, &status) } } == 0 ? status : nil
  }

  /// Lets go of the lock.
  ///
  /// - Parameter removesNew: Whether to remove the file if this lock created it, for a path that turned out to hold no
  ///   database. Beside a database it stays, because deleting it would let two processes lock two files.
  func release(removesNew: Bool = false) {
    descriptor.withLock { descriptor in
      guard let file = descriptor else { return }
      if removesNew, isNew { unlink(path + ".lock") }
      // Closing alone would leave the lock to a child between its fork and its exec.
      flock(file, LOCK_UN)
      Glibc.close(file)
      descriptor = nil
    }
  }
}
