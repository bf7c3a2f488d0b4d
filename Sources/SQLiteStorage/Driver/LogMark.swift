/// A snapshot that the writer keeps for itself, up to which a checkpoint moves the log, and no further.
///
/// A checkpoint that ends before the log does not wait for the disk: SQLite syncs the file when all of the log is in it
/// (wal.c, walCheckpoint), because before that the log cannot restart. So parts of the log are moved in the time of
/// copying them, and the file is written to disk beside the writer (`BackgroundSync`).
///
/// Its connection only reads. Used by the writer's thread only.
final class LogMark {
  private let path: String
  private var connection: SQLiteConnection?

  init(path: String) {
    self.path = path
  }

  /// Whether there is a snapshot.
  var isSet: Bool { connection?.isInTransaction ?? false }

  /// Takes a snapshot of the present state.
  ///
  /// - Throws: `SQLiteError`; then there is no mark.
  func set() throws {
    clear()
    let connection = try self.connection ?? SQLiteConnection.reader(path: path, for: .long)
    self.connection = connection
    do {
      try connection.statement("BEGIN").run()
      _ = try connection.statement("SELECT 1 FROM sqlite_schema LIMIT 1").first([]) { $0.integer(0) }
    } catch {
      clear()
      throw error
    }
  }

  /// Lets go of the snapshot, if there is one.
  func clear() {
    guard let connection, connection.isInTransaction else { return }
    _ = try? connection.statement("ROLLBACK").run()
    // A snapshot that cannot be ended goes with its connection.
    if connection.isInTransaction { close() }
  }

  /// Closes the connection; `set` opens another one.
  func close() {
    connection?.close()
    connection = nil
  }
}
