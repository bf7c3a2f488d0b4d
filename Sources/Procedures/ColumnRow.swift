import TimeclockDomain

/// A row that a statement of either storage gives, read by the numbers of its columns, from 0 on. Each storage's own
/// row is one.
///
/// Methods that throw do so if a column holds nothing that this program writes.
package protocol ColumnRow: SendableMetatype {
  func isNull(_ column: Int32) -> Bool
  func integer(_ column: Int32) -> Int64
  func optionalInteger(_ column: Int32) -> Int64?
  func bool(_ column: Int32) -> Bool
  func text(_ column: Int32) -> String
  func optionalText(_ column: Int32) -> String?
  /// The bytes of a column; none if it is null.
  func blob(_ column: Int32) -> [UInt8]
  func instant(_ column: Int32) -> Instant
  func optionalInstant(_ column: Int32) -> Instant?
  func date(_ column: Int32) -> LocalDate
  func identifier<Subject>(_ column: Int32) throws -> Identifier<Subject>
  func optionalIdentifier<Subject>(_ column: Int32) throws -> Identifier<Subject>?
  func timeZone(_ column: Int32) throws -> TimeZoneIdentifier
  func optionalTimeZone(_ column: Int32) throws -> TimeZoneIdentifier?
  func choice<Choice: RawRepresentable>(_ column: Int32) throws -> Choice where Choice.RawValue == String
}

/// A row whose columns are read by their names. Reading them in the statement's order finds each at once.
package struct RecordRow<Row: ColumnRow> {
  private let row: Row
  private let names: [String]
  private var next = 0

  package init(_ row: Row, names: [String]) {
    self.row = row
    self.names = names
  }

  /// The number of the column. A name that the statement does not give is a fault of this program, which the first
  /// row of the statement shows.
  private mutating func column(_ name: String) -> Int32 {
    for offset in names.indices {
      let candidate = (next + offset) % names.count
      guard names[candidate] == name else { continue }
      next = candidate + 1
      return Int32(candidate)
    }
    preconditionFailure("The statement gives no column \(name), but \(names).")
  }

  package mutating func isNull(_ name: String) -> Bool { row.isNull(column(name)) }
  package mutating func integer(_ name: String) -> Int64 { row.integer(column(name)) }
  package mutating func optionalInteger(_ name: String) -> Int64? { row.optionalInteger(column(name)) }
  package mutating func bool(_ name: String) -> Bool { row.bool(column(name)) }
  package mutating func text(_ name: String) -> String { row.text(column(name)) }
  package mutating func optionalText(_ name: String) -> String? { row.optionalText(column(name)) }
  package mutating func blob(_ name: String) -> [UInt8] { row.blob(column(name)) }
  package mutating func instant(_ name: String) -> Instant { row.instant(column(name)) }
  package mutating func optionalInstant(_ name: String) -> Instant? { row.optionalInstant(column(name)) }
  package mutating func date(_ name: String) -> LocalDate { row.date(column(name)) }

  /// Integers with commas between them.
  package mutating func integers(_ name: String) -> [Int64] {
    text(name).split(separator: ",").compactMap { Int64($0) }
  }

  /// Ids with commas between them, each as 32 hexadecimal digits; null is none.
  ///
  /// - Throws: `UnknownWord` for anything else.
  package mutating func identifiers<Subject>(_ name: String) throws -> [Identifier<Subject>] {
    try (optionalText(name) ?? "").split(separator: ",").map { digits in
      guard let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.dropFirst(16), radix: 16)
      else { throw UnknownWord(column: name) }
      return Identifier(high: high, low: low)
    }
  }

  package mutating func optionalDate(_ name: String) -> LocalDate? {
    let column = column(name)
    return row.isNull(column) ? nil : row.date(column)
  }

  package mutating func identifier<Subject>(_ name: String) throws -> Identifier<Subject> {
    try row.identifier(column(name))
  }

  package mutating func optionalIdentifier<Subject>(_ name: String) throws -> Identifier<Subject>? {
    try row.optionalIdentifier(column(name))
  }

  package mutating func timeZone(_ name: String) throws -> TimeZoneIdentifier {
    try row.timeZone(column(name))
  }

  package mutating func optionalTimeZone(_ name: String) throws -> TimeZoneIdentifier? {
    try row.optionalTimeZone(column(name))
  }

  package mutating func choice<Choice: RawRepresentable>(
    _ name: String
  ) throws -> Choice where Choice.RawValue == String {
    try row.choice(column(name))
  }

  package mutating func optionalChoice<Choice: RawRepresentable>(
    _ name: String
  ) throws -> Choice? where Choice.RawValue == String {
    let column = column(name)
    return row.isNull(column) ? nil : try row.choice(column)
  }
}

extension RecordRow {
  /// The number in the only column.
  package var key: Int64 { row.integer(0) }
}
