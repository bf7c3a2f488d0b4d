import Glibc

/// Notices that a file of an open database is no longer the one at its path: a file that was removed or replaced loses
/// everything written to it.
///
/// It costs five system calls, some 7 µs together, so the writer looks after each commit.
struct FileWatch: Sendable {
  /// A change that has happened to a file.
  struct Difference {
    /// A sentence for the log.
    let sentence: String
    /// Whether the log is gone while the database is still there.
    let isLostLog: Bool
  }

  private struct File: Sendable {
    let suffix: String
    let path: String
    let device: dev_t
    let inode: ino_t
  }

  private let held: HeldDatabase
  private let files: [File]

  /// Begins to watch the held database and its companion files. SQLite must have opened its files.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen` if one of them is not there.
  init(_ held: HeldDatabase) throws {
    self.held = held
    files = try ["", "-wal", "-shm", ".lock"].map { suffix in
      let path = held.file.path + suffix
      guard let status = held.status(suffix) ?? Self.status(path) else {
        throw SQLiteStorageError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
      }
      return File(suffix: suffix, path: path, device: status.st_dev, inode: status.st_ino)
    }
  }

  /// The change of the first file that is no longer the one it was; nil if all are.
  func difference() -> Difference? {
    for file in files {
      let status = Self.status(file.path)
      // Another failure to look, such as a lost permission, means nothing.
      if status == nil, ![ENOENT, ENOTDIR].contains(errno) { continue }
      let isSame = status?.st_ino == file.inode && status?.st_dev == file.device
      guard !isSame else { continue }
      return Difference(
        sentence: "The file \(file.path) was \(status == nil ? "removed" : "replaced") while it was in use.",
        isLostLog: file.suffix == "-wal")
    }
    guard held.hasOwnID else {
      return Difference(
        sentence: "The file \(held.file.path) was overwritten while it was in use.", isLostLog: false)
    }
    return nil
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
