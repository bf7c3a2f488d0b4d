import CSQLite
import DatabaseCopy
import Procedures

// Reading, which is alike from a source and from a target.
extension SQLiteConnection {
  func rowCount(of table: CopiedTable, in scope: CopyScope) throws -> Int64 {
    try statement(built: table.countStatement(scope)).first([]) { $0.integer(0) } ?? 0
  }

  func forEachRow(
    of table: CopiedTable, in scope: CopyScope, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let rows = try statement(
      built: """
        SELECT \(table.columnList) FROM \(table.name) WHERE \(table.condition(scope))
        ORDER BY \(table.key.joined(separator: ", "))
        """)
    var bytes = RowBytes()
    try rows.forEach([]) { row in
      bytes.begin(columnCount: table.columns.count)
      for (index, column) in table.columns.enumerated() { row.append(Int32(index), column.kind, to: &bytes) }
      try bytes.bytes.withUnsafeBytes(body)
    }
  }
}

extension SQLiteRow {
  fileprivate func append(_ column: Int32, _ kind: RecordKind, to bytes: inout RowBytes) {
    guard !isNull(column) else { return bytes.appendNull() }
    switch kind {
    case .integer: bytes.append(integer(column))
    case .bool: bytes.append(bool(column))
    // Either gives the column's own bytes, since text is UTF-8 in the file as well.
    case .text, .bytes, .identifier:
      let start = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      bytes.append(UnsafeRawBufferPointer(start: start, count: count))
    }
  }
}

extension SQLiteValue {
  /// The value of these bytes, in the form of `RowBytes`.
  ///
  /// - Throws: `CopyError.malformedRow` for another length than the kind has.
  init(_ bytes: UnsafeRawBufferPointer?, _ kind: RecordKind) throws {
    guard let bytes else {
      self = .null
      return
    }
    switch (kind, bytes.count) {
    case (.integer, 8): self = .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
    case (.bool, 1): self = .bool(bytes[0] != 0)
    case (.text, _): self = .text(String(decoding: bytes, as: UTF8.self))
    case (.bytes, _), (.identifier, 16): self = .blob(Array(bytes))
    default: throw CopyError.malformedRow(table: nil)
    }
  }
}
