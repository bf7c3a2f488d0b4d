import CSQLite
import Glibc

/// The id of a database file: 32 random bits that every start renews, in the file's own header and in the note of
/// its lock. A file with another id than the note has is another file, to which the log beside it does not belong.
///
/// It is SQLite's `user_version`, which can be read without the log (sqlite.org/fileformat2.html, section 1.3).
enum DatabaseID {
  /// The id of a file that has none, such as a back-up: no log belongs to it.
  static let none: UInt32 = 0

  /// The id in the file itself, regardless of the log; `none` if the file has no header.
  static func inFile(_ descriptor: Int32) -> UInt32 {
    var bytes = [UInt8](repeating: 0, count: 4)
    guard pread(descriptor, &bytes, 4, 60) == 4 else { return none }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// An id for a file that has had this one.
  static func random(otherThan former: UInt32) -> UInt32 {
    var id = former
    while id == former || id == none { id = .random(in: 1 ... .max) }
    return id
  }
}

extension SQLiteConnection {
  /// Gives the database this id, in a transaction of its own.
  func setDatabaseID(_ id: UInt32) throws {
    try execute("PRAGMA user_version = \(Int32(bitPattern: id))")
  }

  /// Gives the held database its new id and moves that into the file. The lock knows both ids until it is there.
  /// A full disk is no reason not to start: then the former id stays.
  ///
  /// - Throws: `SQLiteError`, `SQLiteStorageError.cannotOpen`.
  func renewID(of held: HeldDatabase) throws {
    guard let id = held.newID else { return }
    do {
      try setDatabaseID(id)
    } catch let error as SQLiteError where error.primaryCode == SQLITE_FULL {
      return
    }
    let checkpoint = moveLog(SQLITE_CHECKPOINT_PASSIVE)
    guard [SQLITE_OK, SQLITE_BUSY, SQLITE_FULL].contains(checkpoint.fault.primaryCode) else {
      throw checkpoint.fault
    }
    if checkpoint.isComplete { try held.settleID() }
  }

  /// Looks at the whole file after an end for damage, which takes as long as reading it, and has the lock forget the
  /// damage if there is none: a single error of the disk looks like damage too.
  ///
  /// - Throws: `SQLiteStorageError.damaged`, `.cannotOpen`; `SQLiteError`.
  func requireSound(_ held: HeldDatabase) throws {
    let finding = try text("PRAGMA quick_check(1)")
    guard finding == "ok" else {
      // The first line of SQLite's finding: tables and pages, never row contents.
      let line = finding.split(separator: "\n").last.map(String.init) ?? finding
      throw SQLiteStorageError.damaged(path: held.file.path, reason: line)
    }
    try held.setDamaged(false)
  }

  /// Runs a checkpoint (sqlite.org/c3ref/wal_checkpoint_v2.html).
  func moveLog(_ mode: Int32) -> CheckpointOutcome {
    var pages: Int32 = 0
    var moved: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved)
    return CheckpointOutcome(fault: SQLiteError(code: code), isComplete: code == SQLITE_OK && moved == pages)
  }
}

/// The outcome of a checkpoint.
struct CheckpointOutcome {
  /// SQLite's result code: SQLITE_BUSY if readers or another program held it up.
  var fault: SQLiteError
  /// Whether all of the log is in the database's file, and on disk.
  var isComplete: Bool
}
