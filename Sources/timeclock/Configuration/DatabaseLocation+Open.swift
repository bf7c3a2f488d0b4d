import SQLiteStorage

extension DatabaseLocation {
  /// Opens the database and brings its schema up to date.
  ///
  /// - Parameter onFailure: Called once when the database can no longer be trusted.
  /// - Throws: `CommandError` with one line that says what is wrong and what to do.
  func open(onFailure: @escaping @Sendable () -> Void) throws -> SQLiteStorage {
    do {
      return try SQLiteStorage.open(path: path, onFailure: onFailure)
    } catch SQLiteStorageError.databaseInUse {
      throw CommandError(
        """
        A server holds the database \(path) already. Stop it first, or use the operation \
        createOrganization (POST /v1/organizations, with the operator's token) of the running server.
        """)
    }
  }
}
