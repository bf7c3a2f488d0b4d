import Glibc

/// Puts a back-up into a database's place, once everything in it was checked.
///
/// A database that stood there is kept under another name, with its log. However the process ends, a start finds either
/// database whole, or a file with two names, which it refuses; then the same restore is to be run again.
package struct SQLiteRestore {
  private let source: SQLiteAuditedDatabase
  private let target: DatabaseFile
  private let hold: RestoredPlace
  private let image: DatabaseImage

  /// The file that a process that is ended meanwhile has to remove, by `SQLiteBackup.remove`.
  package var unfinishedPath: String { image.path }

  /// - Parameters:
  ///   - path: The back-up.
  ///   - target: The path at which the database is to stand.
  ///   - replaces: Whether a database, or the log of one, may stand there.
  /// - Throws: `BackupError.exists`, `.sameFile`, `.cannotWrite`; `SQLiteStorageError`, `.databaseInUse` if a server
  ///   holds the target.
  package init(from path: String, to target: String, replacing replaces: Bool) throws {
    guard !SQLiteStorage.isSameFile(path, target) else { throw BackupError.sameFile }
    self.target = try DatabaseFile(target)
    hold = try RestoredPlace(self.target)
    do {
      guard replaces || !hold.isTaken else { throw BackupError.exists(path: target) }
      source = try SQLiteAuditedDatabase(path: path)
    } catch {
      hold.release()
      throw error
    }
    do {
      image = try DatabaseImage(beside: self.target)
    } catch {
      source.close()
      hold.release()
      throw error
    }
  }

  /// Copies, checks and takes the place, all of it on disk. Call it once.
  ///
  /// - Returns: The database that was restored, and the path of the former one now; nil if there was none.
  /// - Throws: `BackupError`, `SQLiteStorageError`; then the database is as it was, unless it is said otherwise.
  package func run(report: (SQLiteBackup.Progress) -> Void) throws -> (WholeDatabase, formerPath: String?) {
    defer { hold.release() }
    do {
      do {
        defer { source.close() }
        try image.write(source) { report(.copying(done: $0, total: $1)) }
      }
      let found = try WholeDatabase(checking: image.path) { report(.checking($0)) }
      hold.giveToOwner(image.path)
      let formerPath = try hold.setAside(at: WallClockName.now())
      do {
        try image.take(the: target, replacing: true)
      } catch {
        hold.putBack(formerPath)
        throw error
      }
      try hold.forgetFormer()
      return (found, formerPath)
    } catch {
      image.remove()
      throw error
    }
  }
}

/// A time in the name of a file.
private enum WallClockName {
  /// Such as `20261122T191500Z`.
  static func now() -> String {
    var seconds = time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var name = [CChar](repeating: 0, count: 32)
    let count = strftime(&name, name.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
