import CPostgreSQL
import TimeclockDomain

/// The answer of a statement.
///
/// `@unchecked Sendable`: libpq never changes a result, and any thread may read one
/// (postgresql.org/docs/current/libpq-threading.html).
final class PostgreSQLRows: @unchecked Sendable {
  fileprivate let result: OpaquePointer

  /// Takes the result over, and frees it in the end.
  init(_ result: OpaquePointer) {
    self.result = result
  }

  deinit {
    PQclear(result)
  }

  var count: Int { Int(PQntuples(result)) }

  /// Such as `COMMIT`, or `ROLLBACK` if a commit was asked of a transaction that had failed.
  var commandTag: String { String(cString: PQcmdStatus(result)) }

  /// The number of rows that the statement has inserted, changed, deleted or selected
  /// (postgresql.org/docs/current/libpq-exec.html, PQcmdTuples).
  var writtenCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The first row, read by `body`; nil if there is none.
  func first<Value>(_ body: (PostgreSQLRow) throws -> Value) rethrows -> Value? {
    count == 0 ? nil : try body(PostgreSQLRow(rows: self, number: 0))
  }

  /// The row of this number, which must be less than `count`.
  subscript(number: Int) -> PostgreSQLRow {
    PostgreSQLRow(rows: self, number: Int32(truncatingIfNeeded: number))
  }

  func map<Value>(_ body: (PostgreSQLRow) throws -> Value) rethrows -> [Value] {
    try (0..<count).map { try body(PostgreSQLRow(rows: self, number: Int32($0))) }
  }
}

/// A row holds something that this program never writes.
struct MalformedRow: Error, Hashable {
  /// The column, never its value.
  let column: String
}

/// One row, its columns in PostgreSQL's binary form. A number of another length than eight bytes reads as 0:
/// statements give `bigint` only.
package struct PostgreSQLRow {
  fileprivate let rows: PostgreSQLRows
  fileprivate let number: Int32

  package func isNull(_ column: Int32) -> Bool {
    PQgetisnull(rows.result, number, column) == 1
  }

  package func integer(_ column: Int32) -> Int64 {
    let bytes = bytes(column)
    guard bytes.count == 8 else { return 0 }
    return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
  }

  package func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  package func bool(_ column: Int32) -> Bool {
    bytes(column).first == 1
  }

  package func text(_ column: Int32) -> String {
    String(decoding: bytes(column), as: UTF8.self)
  }

  package func optionalText(_ column: Int32) -> String? {
    isNull(column) ? nil : text(column)
  }

  package func blob(_ column: Int32) -> [UInt8] { Array(bytes(column)) }

  func optionalBytes(_ column: Int32) -> [UInt8]? {
    isNull(column) ? nil : blob(column)
  }

  package func instant(_ column: Int32) -> Instant {
    Instant(millisecondsSince1970: integer(column))
  }

  package func optionalInstant(_ column: Int32) -> Instant? {
    optionalInteger(column).map(Instant.init(millisecondsSince1970:))
  }

  package func date(_ column: Int32) -> LocalDate {
    LocalDate(daysSince1970: Int32(clamping: integer(column)))
  }

  package func identifier<Subject>(_ column: Int32) throws -> Identifier<Subject> {
    let bytes = bytes(column)
    guard bytes.count == 16 else { throw malformed(column) }
    return Identifier(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  package func optionalIdentifier<Subject>(_ column: Int32) throws -> Identifier<Subject>? {
    isNull(column) ? nil : try identifier(column)
  }

  package func timeZone(_ column: Int32) throws -> TimeZoneIdentifier {
    guard let identifier = TimeZoneIdentifier(text(column)) else { throw malformed(column) }
    return identifier
  }

  package func optionalTimeZone(_ column: Int32) throws -> TimeZoneIdentifier? {
    isNull(column) ? nil : try timeZone(column)
  }

  package func choice<Choice: RawRepresentable>(_ column: Int32) throws -> Choice
  where Choice.RawValue == String {
    guard let choice = Choice(rawValue: text(column)) else { throw malformed(column) }
    return choice
  }

  private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let count = Int(PQgetlength(rows.result, number, column))
    return UnsafeRawBufferPointer(start: PQgetvalue(rows.result, number, column), count: count)
  }

  private func malformed(_ column: Int32) -> MalformedRow {
    MalformedRow(column: PQfname(rows.result, column).map { String(cString: $0) } ?? "?")
  }
}
