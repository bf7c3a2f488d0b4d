import Glibc

/// Copies a database into one file while a server may write it, and gives the file its name once everything in it was
/// checked.
///
/// Everything that was committed before the copy began is in it, and nothing later. While pages are copied the
/// database's log cannot restart: it grows by all writes meanwhile.
package struct SQLiteBackup {
  private let source: SQLiteAuditedDatabase
  private let target: DatabaseFile
  private let replaces: Bool
  private let image: DatabaseImage

  /// The file that a process that is ended meanwhile has to remove, by `SQLiteBackup.remove`.
  package var unfinishedPath: String { image.path }

  /// The progress of the copy.
  package enum Progress: Sendable {
    /// Pages that are copied, and all.
    case copying(done: Int64, total: Int64)
    /// The part that is checked next.
    case checking(String)
  }

  /// Takes the database's present state, and makes the file that it is copied into.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - target: The file to make, which is in rollback mode and stands alone.
  ///   - replaces: Whether a file of that name is replaced, in one step and at the end.
  /// - Throws: `BackupError.exists`, `.sameFile`, `.cannotWrite`; `SQLiteStorageError`.
  package init(of path: String, to target: String, replacing replaces: Bool) throws {
    guard !SQLiteStorage.isSameFile(path, target) else { throw BackupError.sameFile }
    self.target = try DatabaseFile(target)
    self.replaces = replaces
    guard replaces || access(self.target.path, F_OK) != 0 else { throw BackupError.exists(path: target) }
    source = try SQLiteAuditedDatabase(path: path)
    do {
      image = try DatabaseImage(beside: self.target)
    } catch {
      source.close()
      throw error
    }
  }

  /// Copies, checks, and gives the file its name, all of it on disk. Call it once.
  ///
  /// - Throws: `BackupError`, `SQLiteStorageError`; then there is no file.
  package func run(report: (Progress) -> Void) throws -> WholeDatabase {
    do {
      do {
        defer { source.close() }
        try image.write(source) { report(.copying(done: $0, total: $1)) }
      }
      let found = try WholeDatabase(checking: image.path) { report(.checking($0)) }
      try image.take(the: target, replacing: replaces)
      return found
    } catch {
      image.remove()
      throw error
    }
  }

  /// Removes an unfinished backup.
  ///
  /// - Returns: Whether it was there, and under no other name: false if it has been given its name meanwhile.
  package static func remove(_ unfinishedPath: String) -> Bool {
    var found = stat()
    guard lstat(unfinishedPath, &found) == 0, found.st_nlink == 1 else { return false }
    DatabaseImage.remove(unfinishedPath)
    return true
  }
}

extension DatabaseImage {
  /// Gives the file its name, on disk.
  ///
  /// - Throws: `BackupError.exists`, `.cannotWrite`.
  func take(the place: DatabaseFile, replacing replaces: Bool) throws {
    if !replaces, link(path, place.path) == 0 {
      unlink(path)
    } else {
      // A file system without second names cannot check in one step whether a file exists.
      guard replaces || errno != EEXIST && access(place.path, F_OK) != 0 else {
        throw BackupError.exists(path: place.path)
      }
      guard rename(path, place.path) == 0 else {
        throw BackupError.cannotWrite(path: place.path, reason: systemError())
      }
    }
    try place.syncFolder()
  }
}
