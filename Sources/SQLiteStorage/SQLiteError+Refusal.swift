import CSQLite
import TimeclockDomain

extension SQLiteError {
  /// What a caller is told. A constraint that refuses what the rules let through is a fault of this program
  /// and stays what it is.
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

  /// Whether the file is not what it should be.
  var isCorruption: Bool {
    primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB
  }
}
