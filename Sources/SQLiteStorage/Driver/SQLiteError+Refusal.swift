import CSQLite
import TimeclockDomain

/// A failure below the rules, and the error that a caller gets for it.
protocol StorageFault: Error, CustomStringConvertible {
  /// The error that a caller gets; the fault itself if it is one of this program or of its data.
  var refusal: any Error { get }
  /// Whether the file is corrupt, so that nothing in it can be trusted.
  var isCorruption: Bool { get }
}

extension SQLiteError: StorageFault {
  /// The error that a caller gets. A refusal by a constraint that the rules let through, and a wrong statement, are
  /// faults of this program and stay unchanged.
  var refusal: any Error {
    switch primaryCode {
    case SQLITE_FULL: TimeclockError.storageFull
    case SQLITE_CONSTRAINT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_MISUSE, SQLITE_RANGE, SQLITE_TOOBIG: self
    default: TimeclockError.unavailable(retryAfterSeconds: 1)
    }
  }

  /// Whether SQLite may undo the whole transaction with this error (sqlite.org/lang_transaction.html).
  var losesTransaction: Bool {
    [SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_BUSY, SQLITE_INTERRUPT].contains(primaryCode)
      || isCorruption
  }

  var isCorruption: Bool {
    primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB
  }
}

extension MalformedRow: StorageFault {
  /// One odd row is no reason to distrust the others.
  var isCorruption: Bool { false }

  /// Trying again later does not help: somebody has to look at the row.
  var refusal: any Error { self }
}
