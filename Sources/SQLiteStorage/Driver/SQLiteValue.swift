import TimeclockDomain

/// A value on its way into a statement.
enum SQLiteValue {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])
  /// The 16 bytes of an id, the first one first.
  case identifier(high: UInt64, low: UInt64)

  static func optional(_ value: Int64?) -> SQLiteValue { value.map(SQLiteValue.integer) ?? .null }
  static func optional(_ value: String?) -> SQLiteValue { value.map(SQLiteValue.text) ?? .null }
  static func bool(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
  static func instant(_ value: Instant) -> SQLiteValue { .integer(value.millisecondsSince1970) }
  static func date(_ value: LocalDate) -> SQLiteValue { .integer(Int64(value.daysSince1970)) }

  static func optional<Subject>(_ value: Identifier<Subject>?) -> SQLiteValue {
    value.map(SQLiteValue.identifier) ?? .null
  }

  static func identifier<Subject>(_ value: Identifier<Subject>) -> SQLiteValue {
    .identifier(high: value.high, low: value.low)
  }
}
