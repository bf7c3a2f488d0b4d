import CSQLite

/// A prepared statement of one connection; used by the thread that uses the connection, one use at a time.
final class SQLiteStatement {
  let text: String
  private let handle: OpaquePointer
  private let isReadOnly: Bool

  /// Prepares `sql` to be kept for long (sqlite.org/c3ref/c_prepare_dont_log.html).
  init(_ sql: String, on database: OpaquePointer) throws {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw SQLiteError(code: sqlite3_extended_errcode(database)) }
    text = sql
    self.handle = handle
    isReadOnly = sqlite3_stmt_readonly(handle) != 0
  }

  /// Must be called before the connection is closed; the statement is of no use afterwards.
  func finalize() {
    sqlite3_finalize(handle)
  }

  /// Runs a statement that gives no rows.
  ///
  /// - Returns: The number of rows that it has inserted, changed or deleted itself, without those by triggers and
  ///   references (sqlite.org/c3ref/changes.html).
  @discardableResult
  func run(_ values: [SQLiteValue] = []) throws -> Int {
    try bind(values)
    defer { reset() }
    while try step() {}
    return isReadOnly ? 0 : Int(sqlite3_changes(sqlite3_db_handle(handle)))
  }

  /// The first row as `read` sees it; nil without rows.
  ///
  /// A statement that writes is carried on to its end, because it may fail there: outside of a transaction
  /// that is where it commits, long after `PRAGMA journal_mode = WAL` has given its row.
  func first<Value>(_ values: [SQLiteValue], _ read: (SQLiteRow) throws -> Value) throws -> Value? {
    try bind(values)
    defer { reset() }
    guard try step() else { return nil }
    let value = try read(SQLiteRow(statement: handle))
    if !isReadOnly { while try step() {} }
    return value
  }

  /// Every row as `read` sees it.
  func all<Value>(_ values: [SQLiteValue], _ read: (SQLiteRow) throws -> Value) throws -> [Value] {
    var rows: [Value] = []
    try forEach(values) { rows.append(try read($0)) }
    return rows
  }

  /// Calls `body` with every row.
  func forEach(_ values: [SQLiteValue], _ body: (SQLiteRow) throws -> Void) throws {
    try bind(values)
    defer { reset() }
    while try step() { try body(SQLiteRow(statement: handle)) }
  }

  /// Calls `body` with one row after the other for as long as it returns true.
  func walk(_ values: [SQLiteValue], _ body: (SQLiteRow) throws -> Bool) throws {
    try bind(values)
    defer { reset() }
    while try step() {
      guard try body(SQLiteRow(statement: handle)) else { return }
    }
  }

  private func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw SQLiteError(code: sqlite3_extended_errcode(sqlite3_db_handle(handle)))
    }
  }

  /// Ends the statement's read transaction, and lets go of the values.
  private func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func bind(_ values: [SQLiteValue]) throws {
    for (offset, value) in values.enumerated() {
      let code = bind(value, at: Int32(truncatingIfNeeded: offset + 1))
      guard code == SQLITE_OK else {
        reset()
        throw SQLiteError(code: code)
      }
    }
  }

  private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null:
      return sqlite3_bind_null(handle, index)
    case .integer(let integer):
      return sqlite3_bind_int64(handle, index, integer)
    case .text(var text):
      return text.withUTF8 { bytes in
        // A null pointer would bind NULL; the address of an empty text does not matter otherwise.
        bytes.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            handle, index, characters.baseAddress ?? Self.emptyText, UInt64(characters.count), copied,
            UInt8(SQLITE_UTF8))
        }
      }
    case .identifier(let high, let low):
      return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
        sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), copied)
      }
    case .blob(let bytes):
      return bytes.withUnsafeBytes { buffer in
        sqlite3_bind_blob64(
          handle, index, buffer.baseAddress ?? UnsafeRawPointer(Self.emptyText), UInt64(buffer.count), copied)
      }
    }
  }

  /// The address of a byte that is never read: static, immutable, lives as long as the process.
  nonisolated(unsafe) private static let emptyText: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()
}
