import TimeclockDomain

/// A value on its way into a statement, in PostgreSQL's binary form. All integers are `bigint`.
enum PostgreSQLValue {
  case null
  case integer(Int64)
  case bool(Bool)
  case text(String)
  case bytes([UInt8])
  /// A `uuid`.
  case identifier(high: UInt64, low: UInt64)

  static func optional(_ value: Int64?) -> PostgreSQLValue { value.map(PostgreSQLValue.integer) ?? .null }
  static func optional(_ value: String?) -> PostgreSQLValue { value.map(PostgreSQLValue.text) ?? .null }
  static func instant(_ value: Instant) -> PostgreSQLValue { .integer(value.millisecondsSince1970) }
  static func date(_ value: LocalDate) -> PostgreSQLValue { .integer(Int64(value.daysSince1970)) }

  static func optional(_ value: Instant?) -> PostgreSQLValue {
    .optional(value?.millisecondsSince1970)
  }

  static func identifier<Subject>(_ value: Identifier<Subject>) -> PostgreSQLValue {
    .identifier(high: value.high, low: value.low)
  }

  static func optional<Subject>(_ value: Identifier<Subject>?) -> PostgreSQLValue {
    value.map(PostgreSQLValue.identifier) ?? .null
  }
}

/// A statement's values as bytes, one after the other.
struct PostgreSQLParameters {
  private(set) var bytes: [UInt8] = []
  /// The end of each value in `bytes`; nil for null.
  private(set) var ends: [Int?] = []

  init(_ values: [PostgreSQLValue]) {
    ends.reserveCapacity(values.count)
    bytes.reserveCapacity(16 * values.count)
    for value in values { append(value) }
    // So that an empty text has an address: none would mean null.
    bytes.append(0)
  }

  private mutating func append(_ value: PostgreSQLValue) {
    switch value {
    case .null:
      ends.append(nil)
      return
    case .integer(let integer): append(UInt64(bitPattern: integer))
    case .bool(let bool): bytes.append(bool ? 1 : 0)
    case .text(let text): bytes.append(contentsOf: text.utf8)
    case .bytes(let value): bytes.append(contentsOf: value)
    case .identifier(let high, let low):
      append(high)
      append(low)
    }
    ends.append(bytes.count)
  }

  private mutating func append(_ word: UInt64) {
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
