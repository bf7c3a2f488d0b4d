import CSQLite
import TimeclockDomain

extension SQLiteConnection {
  /// Gives the log of changes an epoch if it has none, as in a back-up. A full disk is no reason not to start: then it
  /// is `LogEpoch.none` until the next start.
  ///
  /// - Throws: `SQLiteError`.
  func giveLogEpoch() throws {
    do {
      try execute("UPDATE log_epoch SET epoch = '\(LogEpoch.random().text)' WHERE epoch IS NULL")
    } catch let error as SQLiteError where error.primaryCode == SQLITE_FULL {
      return
    }
  }

  /// Removes the epoch from a copy's log, so that the server that opens the copy sets another.
  ///
  /// - Throws: `SQLiteError`.
  func takeLogEpoch() throws {
    try execute("UPDATE log_epoch SET epoch = NULL")
  }
}
