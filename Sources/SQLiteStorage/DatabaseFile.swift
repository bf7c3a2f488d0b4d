import Glibc

/// The database's file and folder, as far as SQLite leaves them to us.
struct DatabaseFile {
  /// The absolute path without symbolic links, by which SQLite names the log and the index beside the file,
  /// and the storage its lock: two ways to one file must meet at one lock.
  let path: String

  /// Finds the place without opening anything: closing a descriptor of an open database would drop SQLite's
  /// locks on it (sqlite.org/howtocorrupt.html, section 2.2).
  ///
  /// - Throws: `SQLiteStorageError.unsupportedPath` for what SQLite would keep in memory or in a temporary
  ///   file; `.cannotOpen` where the folder does not exist.
  init(_ path: String) throws {
    guard !path.isEmpty, !path.hasPrefix(":"), !path.hasPrefix("file:"), !path.hasSuffix("/") else {
      throw SQLiteStorageError.unsupportedPath
    }
    if let resolved = Self.resolved(path) {
      self.path = resolved
    } else {
      let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
      guard errno == ENOENT, let folder = Self.resolved(Self.folder(of: path)) else {
        throw Self.failure(path)
      }
      self.path = folder == "/" ? "/" + name : folder + "/" + name
    }
  }

  /// Makes the file for its owner only, where there is none; SQLite gives its companions the same mode.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`.
  func createIfMissing() throws {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.failure(path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Self.failure(path) }
    // By its other name another process could open the same file under another lock.
    guard status.st_nlink <= 1 else {
      throw SQLiteStorageError.cannotOpen(path: path, reason: "The file has more than one name")
    }
  }

  /// Makes sure that the names of the database and its log are on disk. SQLite acknowledges a first commit
  /// although its own sync of the folder failed.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`.
  func syncFolder() throws {
    let file = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw Self.failure(path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw Self.failure(path) }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func failure(_ path: String) -> SQLiteStorageError {
    .cannotOpen(path: path, reason: String(cString: strerror(errno)))
  }
}
