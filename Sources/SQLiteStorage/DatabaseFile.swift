import Glibc

/// The database's file and folder, as far as SQLite leaves them to us.
enum DatabaseFile {
  /// Makes the file for its owner only, where there is none; SQLite gives its companions the same mode.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`.
  static func create(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    close(file)
  }

  /// Makes sure that the names of the database and its log are on disk. SQLite acknowledges a first commit
  /// although its own sync of the folder failed.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`.
  static func syncFolder(of path: String) throws {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure(path) }
  }

  private static func failure(_ path: String) -> SQLiteStorageError {
    .cannotOpen(path: path, reason: String(cString: strerror(errno)))
  }
}
