import CLogWriting
import CSQLite
import Procedures

/// One connection with the statements it has prepared.
///
/// `@unchecked Sendable`: a connection is used by one thread at a time. The writer's belongs to the writer's thread; a
/// reader's belongs to the caller that took it from the pool, until it is given back.
final class SQLiteConnection: @unchecked Sendable {
  let handle: OpaquePointer
  /// Statements of fixed text, by the address of the text, so that a hot one is found without hashing it.
  /// Literals, `SQLiteText` and `RecordStatement` in `static let` live as long as the process: no address is ever used twice.
  private var fixedStatements: [UInt: SQLiteStatement] = [:]
  private var builtStatements: [String: SQLiteStatement] = [:]

  /// The longest wait for another program's lock, in milliseconds; within this one no connection waits for another.
  static let busyTimeout: Int32 = 5_000

  /// The settings of the library as a whole. Evaluated once, before the first connection.
  private static let library: Void = {
    // Of no consequence if the process has used SQLite before and it is too late.
    _ = sqlite_without_memory_statistics()
    _ = sqlite_keep_savepoints_in_memory(120 * 1_024)
  }()

  /// Opens a file, which has to be there: one that was taken away meanwhile is not made again. `SQLITE_OPEN_NOMUTEX` is right
  /// because of the one-thread rule above.
  ///
  /// - Parameter gathersLog: Whether `commit` writes its pages into the log in one piece. Only for `synchronous` at FULL: see
  ///   `log_writing_files`.
  init(path: String, isReadOnly: Bool, gathersLog: Bool = false) throws {
    _ = Self.library
    if gathersLog {
      let code = log_writing_register()
      guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }
    var handle: OpaquePointer?
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let code = sqlite3_open_v2(
      path, &handle, access | SQLITE_OPEN_NOMUTEX, gathersLog ? log_writing_files : nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw SQLiteError(code: code)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.busyTimeout)
    _ = sqlite_no_double_quoted_strings(handle)
  }

  /// A statement that is prepared on its first use.
  func statement(_ sql: StaticString) throws -> SQLiteStatement {
    try statement(at: UInt(bitPattern: sql.utf8Start), text: sql.description)
  }

  /// A statement that is prepared on its first use.
  func statement(_ sql: SQLiteText) throws -> SQLiteStatement {
    try statement(at: UInt(bitPattern: ObjectIdentifier(sql)), text: sql.text)
  }

  /// A statement that is prepared on its first use.
  func statement(_ sql: RecordStatement) throws -> SQLiteStatement {
    try statement(at: UInt(bitPattern: ObjectIdentifier(sql)), text: sql.sqlite)
  }

  @inline(__always)
  private func statement(at address: UInt, text: @autoclosure () -> String) throws -> SQLiteStatement {
    if let statement = fixedStatements[address] { return statement }
    let statement = try SQLiteStatement(text(), on: handle)
    fixedStatements[address] = statement
    return statement
  }

  /// A statement with a composed text; there are few such texts.
  func statement(built sql: String) throws -> SQLiteStatement {
    if let statement = builtStatements[sql] { return statement }
    let statement = try SQLiteStatement(sql, on: handle)
    builtStatements[sql] = statement
    return statement
  }

  /// Runs statements that need no values and give no rows.
  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw SQLiteError(code: sqlite3_extended_errcode(handle))
    }
  }

  /// The first column of the first row as text, for settings. Carries the statement on to its end.
  func text(_ sql: String) throws -> String {
    let statement = try SQLiteStatement(sql, on: handle)
    defer { statement.finalize() }
    return try statement.all([]) { $0.text(0) }.first ?? ""
  }

  /// The texts of the statements that were prepared so far, for tests of query plans.
  var preparedTexts: [String] {
    fixedStatements.values.map(\.text) + builtStatements.keys
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Commits the transaction, with its pages in one piece if the connection gathers them.
  func commit() throws {
    log_writing_begin_commit()
    defer { log_writing_end_commit() }
    try statement("COMMIT").run()
  }

  /// Leaves the log as it is when the connection is closed.
  func keepLogOnClose() {
    _ = sqlite_no_checkpoint_on_close(handle)
  }

  /// Closes the connection. Call it once, and nothing after it.
  func close() {
    for statement in fixedStatements.values { statement.finalize() }
    for statement in builtStatements.values { statement.finalize() }
    fixedStatements = [:]
    builtStatements = [:]
    sqlite3_close_v2(handle)
  }
}
