import TimeclockDomain

/// The common part of a storage's answers to the same call in organizations made alike: texts, numbers and choices, but
/// no ids, rows, digests and instants.
enum AnswerWords {
  static func words(of value: Any) -> String {
    if let text = value as? String { return shared(text) }
    if value is any Leftover { return "#" }
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map { child in
      isRow(child.value, of: child.label) ? "#" : words(of: child.value)
    }
    switch mirror.displayStyle {
    case .optional: return parts.first ?? "none"
    case .dictionary:
      // Only the values: the keys are ids and rows.
      let values = mirror.children.compactMap {
        Mirror(reflecting: $0.value).children.first { $0.label == "value" }
      }
      return "\(values.map { words(of: $0.value) }.sorted())"
    case .set: return "\(parts.sorted())"
    case .enum:
      let name = mirror.children.first?.label ?? "\(value)"
      return parts.isEmpty ? name : "\(name)(\(parts.joined(separator: " ")))"
    default: return mirror.children.isEmpty ? "\(value)" : "(\(parts.joined(separator: " ")))"
    }
  }

  /// Whether a member with this name holds the number of a row.
  private static func isRow(_ value: Any, of label: String?) -> Bool {
    value is Int64? && ["tokenKey", "row", "session"].contains(label)
  }

  /// The text with ids left out, which stand in the kept form of a change and in addresses.
  private static func shared(_ text: String) -> String {
    text.utf8.count < 36 ? text : text.replacing(id, with: "#")
  }

  /// Never changed. As a literal in the function it would be read again for each text.
  nonisolated(unsafe) private static let id =
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
}

/// A value that differs between organizations made alike.
private protocol Leftover {}

extension Identifier: Leftover {}
extension OrganizationKey: Leftover {}
extension UserKey: Leftover {}
extension MemberKey: Leftover {}
extension TokenDigest: Leftover {}
extension Instant: Leftover {}
extension [UInt8]: Leftover {}
