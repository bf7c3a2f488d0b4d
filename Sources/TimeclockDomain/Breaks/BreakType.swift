/// The public id of a break type.
package typealias BreakTypeID = Identifier<BreakType>

/// A kind of break that an organization knows, such as lunch. There is no deleting one: it is archived.
package struct BreakType: Hashable, Sendable {
  package var id: BreakTypeID
  package var organizationID: OrganizationID
  package var name: String
  package var isPaid: Bool
  /// The usual length of such a break, in seconds; nil where nothing is expected.
  package var expectedSeconds: Int64?
  package var isArchived: Bool
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: BreakTypeID, organizationID: OrganizationID, name: String, isPaid: Bool, expectedSeconds: Int64?,
    isArchived: Bool, version: Int64, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.organizationID = organizationID
    self.name = name
    self.isPaid = isPaid
    self.expectedSeconds = expectedSeconds
    self.isArchived = isArchived
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension BreakType {
  /// The most break types that an organization has, archived ones included.
  package static let maximumCount = 50

  /// Refuses a duration that is not 1 second to 24 hours.
  ///
  /// - Throws: `TimeclockError.invalidDuration`.
  package static func expectedSeconds(_ seconds: Int64) throws -> Int64 {
    guard (1...86_400).contains(seconds) else { throw TimeclockError.invalidDuration }
    return seconds
  }

  /// Puts back what no change may change.
  package mutating func restoreFixed(from before: BreakType) {
    id = before.id
    organizationID = before.organizationID
    version = before.version
    createdAt = before.createdAt
    updatedAt = before.updatedAt
  }
}

extension BreakType: Versioned {
  package var current: CurrentResource { CurrentResource(.breakType(self), version: version) }
}

extension TimeclockError {
  package static let invalidDuration = TimeclockError.plain(
    PlainRefusal("invalid_duration", against: .rule, "A break lasts 1 to 86400 seconds"))

  package static let tooManyBreakTypes = TimeclockError.plain(
    PlainRefusal(
      "too_many_break_types", against: .state,
      """
      An organization has at most \(BreakType.maximumCount) break types, archived ones included. Change one that is no \
      longer needed.
      """))
}
