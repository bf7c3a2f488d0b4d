import CLinux
import Glibc
import Synchronization

/// A database that this process holds, from before SQLite opens it until after SQLite has closed it.
///
/// Two locks keep other processes out: the one beside the file, which every process knows that opens it by this path,
/// and one on the file itself, which holds even if the other is deleted. Both are flock(2), which does not touch
/// SQLite's own locks (fcntl(2)).
final class HeldDatabase: Sendable {
  /// The purpose that the file is opened for.
  enum Access: Equatable {
    case reading
    case writing(mayCreate: Bool)
  }

  let file: DatabaseFile
  /// Whether the file was made, or was empty.
  let isNew: Bool
  private let lock: DatabaseLock
  private let descriptor: Int32
  private let note: Mutex<LockNote>
  /// The log's index, if room was taken for it. Closed last, as closing it drops SQLite's locks on it.
  private let index = Mutex<Int32?>(nil)

  /// Takes the locks, and makes sure that a log beside the file belongs to it. For writing, the log is written over
  /// itself (`DatabaseFile.rewriteLog`), and the lock's note says which id the file gets (`DatabaseID`).
  ///
  /// - Throws: `SQLiteStorageError`. Nothing but an empty file was made then.
  init(_ path: String, access: Access) throws {
    file = try DatabaseFile(path)
    // Leaves no lock behind if there is nothing to lock.
    guard access == .writing(mayCreate: true) || file.exists || file.size("-wal") > 0 else {
      throw SQLiteStorageError.noDatabase(path: path)
    }
    lock = try DatabaseLock(path: file.path)
    do {
      try file.requireDatabaseBesideLog()
      descriptor = try file.open(access)
    } catch {
      lock.release(removesNew: true)
      throw error
    }
    do {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw SQLiteStorageError.databaseInUse }
      isNew = file.size() == 0
      guard !isNew || access != .writing(mayCreate: false) else {
        throw SQLiteStorageError.notDatabase(path: file.path, .empty)
      }
      try FileHeader(descriptor).requireDatabase(at: file.path, hadDatabase: lock.readNote().id != nil)
      var note = lock.readNote()
      let id = DatabaseID.inFile(descriptor)
      guard file.size("-wal") == 0 || note.allowsLog(of: id) else {
        throw SQLiteStorageError.logOfOtherDatabase(path: file.path)
      }
      if access != .reading {
        try file.rewriteLog()
        note.renew(from: id)
        try lock.write(note)
        // Before there can be a log: a log without a database would be refused.
        if isNew { try file.syncFolder() }
      }
      self.note = Mutex(note)
    } catch {
      Glibc.close(descriptor)
      lock.release(removesNew: true)
      throw error
    }
  }

  /// Whether the process that had the database before ended because it met damage.
  var wasDamaged: Bool { note.withLock(\.isDamaged) }

  /// The id that the file is to have, which is the new one.
  var newID: UInt32? { note.withLock(\.id) }

  /// The result of fstat(2) for the database or its lock, by the suffix of its name; nil for other files.
  func status(_ suffix: String) -> stat? {
    switch suffix {
    case "":
      var status = stat()
      return fstat(descriptor, &status) == 0 ? status : nil
    case ".lock": return lock.status
    default: return nil
    }
  }

  /// Whether the file's header has an id that this process knows: not if somebody has written another database over it.
  /// To be called by the thread that runs checkpoints.
  var hasOwnID: Bool { note.withLock { $0.allowsLog(of: DatabaseID.inFile(descriptor)) } }

  /// Writes the file to disk. May be called by any thread, while SQLite has the file open.
  ///
  /// It writes a piece of the file after the other and waits for each, so that a commit that another thread waits for
  /// finds few pages before it on their way to the disk, and not all of them.
  ///
  /// - Returns: 0, or the number of the system's error.
  func syncFile() -> Int32 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return errno }
    let size = Int64(status.st_size)
    let piece = max(size / Self.mostPieces, Self.leastPiece)
    for offset in stride(from: 0, to: size, by: Int(piece)) {
      guard linux_write_back(descriptor, offset, piece) != 0 else { continue }
      // A sandbox may not know the call. An error of the disk is reported once, so it is not left to the next call.
      guard [ENOSYS, EPERM, EOPNOTSUPP].contains(errno) else { return errno }
      break
    }
    return fdatasync(descriptor) == 0 ? 0 : errno
  }

  /// The size of the least piece of the file that is written at once, in bytes, and the number of pieces of a large one.
  private static let leastPiece: Int64 = 8 << 20
  private static let mostPieces: Int64 = 64

  /// Makes the next start refuse any log beside the file.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`.
  func distrustLog() throws {
    try lock.write(
      note.withLock { note in
        note.id = DatabaseID.random(otherThan: DatabaseID.inFile(descriptor))
        note.formerID = nil
        return note
      })
  }

  /// Lets the lock forget the former id, if the new one has reached the file. To be called after a checkpoint that
  /// moved all of the log.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`; then both ids count at the next start.
  func settleID() throws {
    let settled = note.withLock { note -> LockNote? in
      guard note.formerID != nil, DatabaseID.inFile(descriptor) == note.id else { return nil }
      note.formerID = nil
      return note
    }
    if let settled { try lock.write(settled) }
  }

  /// Leaves a note of whether the file is damaged, for the next start.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`.
  func setDamaged(_ isDamaged: Bool) throws {
    try lock.write(
      note.withLock { note in
        note.isDamaged = isDamaged
        return note
      })
  }

  /// Reserves disk space for the log's index (`-shm`) of this many pages. SQLite extends the index when a commit is in
  /// the log already, and the outcome of that commit is unknown if the disk is full then (SQLITE_IOERR_SHMSIZE,
  /// sqlite.org/rescode.html): a log from before may have room for it, and the index none.
  ///
  /// SQLite must have the log open.
  ///
  /// - Returns: Whether there was room. Otherwise the index grows as it is needed.
  func reserveIndex(pages: Int) -> Bool {
    index.withLock { index in
      if index == nil {
        let file = Glibc.open(self.file.path + "-shm", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        index = file >= 0 ? file : nil
      }
      guard let file = index else { return false }
      // 32 KiB for the numbers of 4,096 pages, of which a head takes 34 (sqlite.org/walformat.html, section 2.2).
      let size = (pages + 34 + 4_095) / 4_096 * 32_768
      let present = self.file.size("-shm")
      return present >= size || posix_fallocate(file, present, size - present) == 0
    }
  }

  /// Lets go of the database. SQLite must have closed it: closing a descriptor drops the process's locks on the
  /// file (sqlite.org/howtocorrupt.html, section 2.2).
  ///
  /// - Parameter isForeign: Whether it has turned out to be another program's, beside which no lock is to stay.
  func release(isForeign: Bool = false) {
    index.withLock { index in
      if let file = index { Glibc.close(file) }
      index = nil
    }
    Glibc.close(descriptor)
    lock.release(removesNew: isForeign)
  }
}
