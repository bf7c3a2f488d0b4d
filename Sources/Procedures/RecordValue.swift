import TimeclockDomain

/// A value on its way into a statement of either storage.
package enum RecordValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case bool(Bool)
  case text(String)
  case bytes([UInt8])
  /// The 16 bytes of an id.
  case identifier(high: UInt64, low: UInt64)

  package static func optional(_ value: Int64?) -> RecordValue { value.map(RecordValue.integer) ?? .null }
  package static func optional(_ value: Bool?) -> RecordValue { value.map(RecordValue.bool) ?? .null }
  package static func optional(_ value: String?) -> RecordValue { value.map(RecordValue.text) ?? .null }
  /// Milliseconds since 1970.
  package static func instant(_ value: Instant) -> RecordValue { .integer(value.millisecondsSince1970) }
  package static func optional(_ value: Instant?) -> RecordValue { .optional(value?.millisecondsSince1970) }
  /// Days since 1970.
  package static func date(_ value: LocalDate) -> RecordValue { .integer(Int64(value.daysSince1970)) }

  package static func identifier<Subject>(_ value: Identifier<Subject>) -> RecordValue {
    .identifier(high: value.high, low: value.low)
  }

  package static func key(_ organization: OrganizationKey) -> RecordValue { .integer(organization.value) }
  package static func key(_ user: UserKey) -> RecordValue { .integer(user.value) }
}
