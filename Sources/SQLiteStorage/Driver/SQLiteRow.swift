import CSQLite
import Glibc
import TimeclockDomain

/// The row that a statement stands at; valid until the statement moves on.
package struct SQLiteRow {
  let statement: OpaquePointer

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  package func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(statement, column)
  }

  package func optionalInteger(_ column: Int32) -> Int64? {
    // NULL reads as 0 (sqlite.org/c3ref/column_blob.html), so most columns are asked once.
    let integer = integer(column)
    return integer == 0 && isNull(column) ? nil : integer
  }

  package func bool(_ column: Int32) -> Bool {
    integer(column) != 0
  }

  package func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Whether the column holds this text, byte by byte.
  func holds(_ text: String, in column: Int32) -> Bool {
    guard let start = sqlite3_column_text(statement, column) else { return false }
    let count = Int(sqlite3_column_bytes(statement, column))
    var text = text
    return text.withUTF8 { $0.count == count && memcmp($0.baseAddress ?? start, start, count) == 0 }
  }

  package func optionalText(_ column: Int32) -> String? {
    isNull(column) ? nil : text(column)
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

  /// The id that 16 bytes say.
  package func identifier<Subject>(_ column: Int32) throws -> Identifier<Subject> {
    guard let start = sqlite3_column_blob(statement, column),
      sqlite3_column_bytes(statement, column) == 16
    else { throw MalformedRow(column: columnName(column)) }
    return Identifier(
      high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  package func optionalIdentifier<Subject>(_ column: Int32) throws -> Identifier<Subject>? {
    isNull(column) ? nil : try identifier(column)
  }

  package func blob(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }

  package func timeZone(_ column: Int32) throws -> TimeZoneIdentifier {
    guard let identifier = TimeZoneIdentifier(text(column)) else {
      throw MalformedRow(column: columnName(column))
    }
    return identifier
  }

  package func optionalTimeZone(_ column: Int32) throws -> TimeZoneIdentifier? {
    isNull(column) ? nil : try timeZone(column)
  }

  package func choice<Choice: RawRepresentable>(_ column: Int32) throws -> Choice
  where Choice.RawValue == String {
    guard let choice = Choice(rawValue: text(column)) else {
      throw MalformedRow(column: columnName(column))
    }
    return choice
  }

  private func columnName(_ column: Int32) -> String {
    sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "?"
  }
}
