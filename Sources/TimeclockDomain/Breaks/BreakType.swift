/// The public id of a break type.
package typealias BreakTypeID = Identifier<BreakType>

/// A kind of break that an organization knows, such as lunch. There is no deleting one: it is archived.
package struct BreakType: ShapedRecord {
  package var head: Head<BreakType>
  package var name = ""
  package var isPaid = false
  /// The usual length of such a break, in seconds; nil if nothing is expected.
  package var expectedSeconds: Int64?
  package var isArchived = false

  package init(head: Head<BreakType>) {
    self.head = head
  }

  package static let shape = Shape<BreakType>(
    .breakType, list: "breakTypes", listFlag: "archived",
    fields: [
      .text("name", \.name, rule: Name.validated),
      .flag("isPaid", \.isPaid),
      .optionalNumber("expectedSeconds", \.expectedSeconds, rule: expectedSeconds),
      .flag("archived", \.isArchived, onCreate: .later),
    ])

  package static let limit = RecordLimit(50, orThrow: .tooManyBreakTypes)

  /// Refuses a duration that is not 1 second to 24 hours.
  ///
  /// - Throws: `TimeclockError.invalidDuration`.
  package static func expectedSeconds(_ seconds: Int64) throws -> Int64 {
    guard (1...86_400).contains(seconds) else { throw TimeclockError.invalidDuration }
    return seconds
  }
}

extension TimeclockError {
  package static let invalidDuration = TimeclockError.plain(
    PlainRefusal("invalid_duration", against: .rule, "A break lasts 1 to 86400 seconds"))

  package static let tooManyBreakTypes = TimeclockError.plain(
    PlainRefusal(
      "too_many_break_types", against: .state,
      """
      An organization has at most 50 break types, archived ones included. Change one that is no \
      longer needed.
      """))
}
