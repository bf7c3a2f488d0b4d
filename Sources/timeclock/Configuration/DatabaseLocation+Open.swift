import SQLiteStorage

extension DatabaseLocation {
  /// Opens the database and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - whenInUse: What to do about another process that holds the database, for the person who reads it.
  ///   - report: Called with a sentence for the log when the database fails; see `SQLiteStorage.open`.
  ///   - onFailure: Called once when the database can no longer be trusted.
  /// - Throws: `CommandError` with one line that says what is wrong and what to do.
  func open(
    whenInUse advice: String, report: @escaping @Sendable (String) -> Void,
    onFailure: @escaping @Sendable () -> Void
  ) throws -> SQLiteStorage {
    do {
      return try SQLiteStorage.open(path: path, report: report, onFailure: onFailure)
    } catch SQLiteStorageError.databaseInUse {
      throw CommandError("Another process, most likely a server, holds the database \(path). \(advice)")
    }
  }
}
