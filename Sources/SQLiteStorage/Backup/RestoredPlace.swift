import Glibc

/// The place of a database that is being restored: held as a server holds it.
struct RestoredPlace {
  private let file: DatabaseFile
  private let lock: DatabaseLock
  /// The database that stands there, locked itself as well, because a lock beside it can be deleted; nil without one.
  private let former: Int32?
  /// The user and the group that are to own the database and its companions; nil if ownership is not changed.
  private let owner: (user: uid_t, group: gid_t)?

  /// Whether there is a database, or the log of one.
  var isTaken: Bool { former != nil || Self.size(file.path + "-wal") > 0 }

  /// - Throws: `SQLiteStorageError.databaseInUse`, `.cannotOpen`.
  init(_ file: DatabaseFile) throws {
    let lock = try DatabaseLock(path: file.path)
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 || errno == ENOENT else {
      let error = SQLiteStorageError.cannotOpen(path: file.path, reason: systemError())
      lock.release()
      throw error
    }
    let former = descriptor >= 0 ? descriptor : nil
    if let former, flock(former, LOCK_EX | LOCK_NB) != 0 {
      close(former)
      lock.release()
      throw SQLiteStorageError.databaseInUse
    }
    self.file = file
    self.lock = lock
    self.former = former
    var status = stat()
    let isKnown = former.map { fstat($0, &status) } ?? stat(file.folder, &status)
    owner = geteuid() == 0 && isKnown == 0 ? (status.st_uid, status.st_gid) : nil
    giveToOwner(file.path + ".lock")
  }

  /// Gives a file to the owner of the former database, or else of the folder, if the superuser restores.
  func giveToOwner(_ path: String) {
    guard let owner else { return }
    _ = chown(path, owner.user, owner.group)
  }

  /// Gives the former database and its log second names, and then takes the log's first one away: from here on until the
  /// place is taken, every start refuses a database with two names.
  ///
  /// - Returns: The database's second name; nil if nothing was there.
  /// - Throws: `BackupError.cannotWrite`, and then nothing has changed but perhaps a second name.
  func setAside(at time: String) throws -> String? {
    guard isTaken else { return nil }
    let formerPath = file.path + ".before-\(time)"
    // The log first: a database without its log lacks the last commits.
    for suffix in ["-wal", ""] where Self.size(file.path + suffix) >= 0 {
      guard link(file.path + suffix, formerPath + suffix) == 0 else {
        throw BackupError.cannotWrite(path: formerPath + suffix, reason: systemError())
      }
    }
    try file.syncFolder()
    for suffix in ["-wal", "-shm"] {
      guard unlink(file.path + suffix) == 0 || errno == ENOENT else {
        throw BackupError.cannotWrite(path: file.path + suffix, reason: systemError())
      }
    }
    try file.syncFolder()
    return formerPath
  }

  /// Gives the former database its place back, if it could not be taken.
  func putBack(_ formerPath: String?) {
    guard let formerPath else { return }
    if Self.size(formerPath + "-wal") >= 0 { _ = link(formerPath + "-wal", file.path + "-wal") }
    for suffix in ["-wal", ""] where Self.size(file.path + suffix) >= 0 { unlink(formerPath + suffix) }
    try? file.syncFolder()
  }

  /// Empties the lock's file, which may hold a note about the former database.
  ///
  /// - Throws: `BackupError.cannotWrite`.
  func forgetFormer() throws {
    let note = open(file.path + ".lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard note >= 0 else { throw BackupError.cannotWrite(path: file.path + ".lock", reason: systemError()) }
    // The lock is the other descriptor's (flock(2)).
    defer { close(note) }
    guard ftruncate(note, 0) == 0, fsync(note) == 0 else {
      throw BackupError.cannotWrite(path: file.path + ".lock", reason: systemError())
    }
  }

  func release() {
    if let former { close(former) }
    lock.release()
  }

  /// The size of a file; -1 without one.
  private static func size(_ path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : -1
  }
}

extension DatabaseFile {
  /// The folder that the file is in.
  fileprivate var folder: String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }
}
