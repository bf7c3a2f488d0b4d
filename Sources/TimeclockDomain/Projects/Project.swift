/// The public id of a project.
package typealias ProjectID = Identifier<Project>

/// Something that members work for, such as an order of a client: the organization's, or a member's own.
package struct Project: ShapedRecord, OwnedResource {
  package var head: Head<Project>
  package var ownerID: UserID?
  package var name = ""
  /// The client.
  package var client: String?
  package var color = ProjectColor.standard
  package var isArchived = false
  package var isBillable = false

  package init(head: Head<Project>) {
    self.head = head
  }

  package static let shape = Shape<Project>(
    .project, list: "projects", owner: .optional(\.ownerID), listFlag: "archived",
    fields: [
      .text("name", \.name, isPersonal: true, rule: Name.validated),
      .optionalText("client", \.client, isPersonal: true, rule: client),
      .text("color", \.color.text, onCreate: .optional) { try ProjectColor($0).text },
      .flag("archived", \.isArchived, onCreate: .later),
      .flag("billable", \.isBillable, onCreate: .optional),
    ])

  /// The client without white space around the name; nil when nothing is left.
  ///
  /// - Throws: `TimeclockError.invalidName` for a text that is no name either.
  package static func client(_ text: String) throws -> String? {
    Text.trimmed(text).isEmpty ? nil : try Name.validated(text)
  }
}

/// The color in which clients show a project.
package struct ProjectColor: Hashable, Sendable {
  /// `#` and six hexadecimal digits in capitals.
  package internal(set) var text: String

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
