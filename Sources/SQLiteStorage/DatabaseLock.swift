import Glibc
import Synchronization

/// Keeps a second process from the database: an exclusive flock(2) on a file beside it, which the system
/// lets go of when the process ends, however it ends.
final class DatabaseLock: Sendable {
  private let descriptor: Mutex<Int32?>

  /// Takes the lock, or fails at once. It belongs to the open file, so it also keeps out a second opening by
  /// the same process, and a process that was forked and replaced does not hold it (O_CLOEXEC).
  ///
  /// - Throws: `SQLiteStorageError.databaseInUse`, `.cannotOpen`.
  init(path: String) throws {
    let file = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw SQLiteStorageError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      Glibc.close(file)
      throw SQLiteStorageError.databaseInUse
    }
    descriptor = Mutex(file)
  }

  /// Lets go of the lock; the file stays, because deleting it would let two processes lock two files.
  func release() {
    descriptor.withLock { descriptor in
      guard let file = descriptor else { return }
      // Closing alone would leave the lock to a child between its fork and its exec.
      flock(file, LOCK_UN)
      Glibc.close(file)
      descriptor = nil
    }
  }
}
