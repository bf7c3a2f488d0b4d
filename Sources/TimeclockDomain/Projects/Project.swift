/// The public id of a project.
package typealias ProjectID = Identifier<Project>

/// Something that members work for, such as an order of a client: the organization's, or a member's own.
package struct Project: OwnedResource, Hashable {
  package var id: ProjectID
  package var organizationID: OrganizationID
  package var ownerID: UserID?
  package var name: String
  /// The client for whom it is.
  package var client: String?
  package var color: ProjectColor
  package var isArchived: Bool
  package var isBillable: Bool
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: ProjectID, organizationID: OrganizationID, ownerID: UserID?, name: String, client: String?,
    color: ProjectColor, isArchived: Bool, isBillable: Bool, version: Int64, createdAt: Instant,
    updatedAt: Instant
  ) {
    self.id = id
    self.organizationID = organizationID
    self.ownerID = ownerID
    self.name = name
    self.client = client
    self.color = color
    self.isArchived = isArchived
    self.isBillable = isBillable
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Project {
  /// The client without white space around the name; nil when nothing is left.
  ///
  /// - Throws: `TimeclockError.invalidName` for what a name may not be either.
  package static func client(_ text: String) throws -> String? {
    Text.trimmed(text).isEmpty ? nil : try Name.validated(text)
  }

  /// Puts back what no change may change.
  package mutating func restoreFixed(from before: Project) {
    id = before.id
    organizationID = before.organizationID
    ownerID = before.ownerID
    version = before.version
    createdAt = before.createdAt
    updatedAt = before.updatedAt
  }
}

extension Project: Versioned {
  package var current: CurrentResource { CurrentResource(.project(self), version: version) }
}

/// The color in which clients show a project.
package struct ProjectColor: Hashable, Sendable {
  /// `#` and six hexadecimal digits in capitals.
  package let text: String

  /// The color that a storage keeps.
  package init(stored text: String) {
    self.text = text
  }

  /// The color with its letters raised.
  ///
  /// - Throws: `TimeclockError.invalidColor` unless it is `#` and six hexadecimal digits.
  package init(_ text: String) throws {
    let bytes = Array(text.utf8)
    let isColor =
      bytes.count == 7 && bytes[0] == UInt8(ascii: "#")
      && bytes[1...].allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    guard isColor else { throw TimeclockError.invalidColor }
    self.text = text.uppercased()
  }

  /// The color of a project for which none is stated.
  package static let standard = ProjectColor(stored: "#007AFF")
}

extension TimeclockError {
  package static let invalidColor = TimeclockError.plain(
    PlainRefusal(
      "invalid_color", against: .rule, "A color is # and six hexadecimal digits, such as #007AFF"))
}
