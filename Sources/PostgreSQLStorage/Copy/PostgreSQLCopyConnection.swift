import CPostgreSQL
import DatabaseCopy

/// A connection that moves rows in bulk and waits as long as that takes; used by one thread.
struct PostgreSQLCopyConnection {
  let connection: EstablishedConnection

  /// Connects, without the time-outs of a server's connections: rows wait for the other database. A server that
  /// is gone is still noticed, by keepalives.
  ///
  /// - Throws: `PostgreSQLStorageError.cannotConnect`.
  init(_ location: PostgreSQLLocation) throws {
    do {
      connection = try EstablishedConnection.connect(location, sendTimeout: 0)
    } catch let error as PostgreSQLError {
      throw PostgreSQLStorageError.cannotConnect(error.message)
    }
    do {
      try connection.execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0")
    } catch {
      connection.close()
      throw error
    }
  }

  /// Keeps every other copy from this database, or only copies into it, until the connection ends.
  ///
  /// A source and a target that are one database cannot both have it, so that case needs no other test. It waits for a second:
  /// the server notices a moment later that the connection of another copy has ended.
  ///
  /// - Throws: `CopyError.targetIsBusy`.
  func lockForCopy(isShared: Bool) throws {
    let function = isShared ? "pg_advisory_lock_shared" : "pg_advisory_lock"
    do {
      try connection.execute("SET LOCAL lock_timeout = '1s'; SELECT \(function)(\(Self.lockKey))")
    } catch let error as PostgreSQLError where error.isLockTimeout {
      throw CopyError.targetIsBusy
    }
  }

  /// "timecopy" as a number: any that no other program would take.
  private static let lockKey: Int64 = 0x7469_6D65_636F_7079
}

// Reading.
extension PostgreSQLCopyConnection {
  func rowCount(of table: CopiedTable, in scope: CopyScope) throws -> Int64 {
    try number(table.countStatement(scope))
  }

  /// The number that a statement gives; 0 for null.
  func number(_ sql: String) throws -> Int64 {
    try connection.execute(sql).flatMap { Int64($0) } ?? 0
  }

  /// Runs a statement with its values as text; the rows come in the binary form.
  func rows(_ sql: String, _ values: [String] = []) throws -> PostgreSQLRows {
    let result = withCStrings(values) { strings in
      PQexecParams(connection.handle, sql, Int32(clamping: values.count), nil, strings, nil, nil, 1)
    }
    guard PQresultStatus(result) == PGRES_TUPLES_OK, let result else {
      defer { PQclear(result) }
      throw PostgreSQLError(result)
    }
    return PostgreSQLRows(result)
  }

  func forEachRow(
    of table: CopiedTable, in scope: CopyScope, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    // Text is compared by its bytes, as SQLite compares it.
    let order = table.key.map { name in
      table.columns.contains { $0.name == name && $0.kind == .text } ? name + #" COLLATE "C""# : name
    }
    try start(
      """
      COPY (SELECT \(table.columnList) FROM \(table.name) WHERE \(table.condition(scope))
        ORDER BY \(order.joined(separator: ", "))) TO STDOUT (FORMAT binary)
      """, PGRES_COPY_OUT)
    var isFirst = true
    while let message = try nextMessage() {
      defer { PQfreemem(message.baseAddress) }
      var row = UnsafeRawBufferPointer(message)
      // The header comes with the first row, or the end if there is none; every row is a message of its own
      // (postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY).
      if isFirst { row = UnsafeRawBufferPointer(rebasing: row.dropFirst(BinaryCopy.header.count)) }
      isFirst = false
      guard !row.isEmpty, !row.elementsEqual(BinaryCopy.end) else { continue }
      try body(row)
    }
    try finish()
  }

  /// The next message of the COPY; nil at its end. To be freed.
  private func nextMessage() throws -> UnsafeMutableRawBufferPointer? {
    var start: UnsafeMutablePointer<CChar>?
    let count = PQgetCopyData(connection.handle, &start, 0)
    if count == -1 { return nil }
    guard count > 0, let start else { throw lost }
    return UnsafeMutableRawBufferPointer(start: start, count: Int(count))
  }
}

// Writing.
extension PostgreSQLCopyConnection {
  /// The rows that go into one COPY. The server keeps references to check until the end of a statement; this limit
  /// keeps them few.
  private static let rowsPerCopy = 50_000

  /// Sends are gathered up to this many bytes.
  private static let bytesPerMessage = 65_536

  func write(
    _ table: CopiedTable, _ rows: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    let stage = try CopyStage(for: table, on: connection)
    let copy = "COPY \(stage?.name ?? table.name) (\(table.columnList)) FROM STDIN (FORMAT binary)"
    var waiting: [UInt8] = []
    var rowCount = 0
    func end() throws {
      try send(waiting + BinaryCopy.end)
      waiting.removeAll(keepingCapacity: true)
      guard PQputCopyEnd(connection.handle, nil) == 1 else { throw lost }
      try finish()
      try stage?.moveOn()
    }
    try rows { row in
      if rowCount % Self.rowsPerCopy == 0 {
        if rowCount > 0 { try end() }
        try start(copy, PGRES_COPY_IN)
        waiting += BinaryCopy.header
      }
      rowCount += 1
      waiting.append(contentsOf: row)
      if waiting.count >= Self.bytesPerMessage {
        try send(waiting)
        waiting.removeAll(keepingCapacity: true)
      }
    }
    if rowCount > 0 { try end() }
    try stage?.drop()
  }

  private func send(_ bytes: [UInt8]) throws {
    let result = bytes.withUnsafeBytes { buffer in
      PQputCopyData(
        connection.handle, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(clamping: buffer.count))
    }
    guard result == 1 else { throw lost }
  }
}

// COPY itself.
extension PostgreSQLCopyConnection {
  private func start(_ sql: String, _ status: ExecStatusType) throws {
    let result = PQexec(connection.handle, sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == status else { throw PostgreSQLError(result) }
  }

  /// Takes the server's word on the COPY that has ended.
  private func finish() throws {
    var error: PostgreSQLError?
    while let result = PQgetResult(connection.handle) {
      if PQresultStatus(result) != PGRES_COMMAND_OK { error = error ?? PostgreSQLError(result) }
      PQclear(result)
    }
    if let error { throw error }
  }

  private var lost: PostgreSQLError {
    PostgreSQLError(sqlState: "08006", message: ConnectionMessage.line(PQerrorMessage(connection.handle)))
  }
}

/// The bytes around the rows of a binary COPY (postgresql.org/docs/current/sql-copy.html, "Binary Format").
private enum BinaryCopy {
  /// A signature, no flags, no extension.
  static let header: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  /// A count of columns of -1.
  static let end: [UInt8] = [0xFF, 0xFF]
}
