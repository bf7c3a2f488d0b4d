import Foundation

/// Judges values by the part of JSON Schema 2020-12 that the contract uses.
///
/// A keyword it does not know is a violation itself, so that nothing in the contract goes unchecked.
struct SchemaValidator: Sendable {
  let document: OpenAPIDocument

  /// Keywords that assert nothing.
  static let annotations: Set<String> = ["title", "description", "default", "example", "examples"]

  /// Keywords that are checked.
  static let assertions: Set<String> = [
    "$ref", "type", "enum", "const", "properties", "required", "additionalProperties", "items", "minItems",
    "maxItems", "uniqueItems", "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "oneOf",
    "anyOf", "allOf",
  ]

  /// Returns the faults of the value; empty if it is valid. Each line begins with a JSON Pointer.
  func violations(of value: JSONValue, against schema: JSONValue, at pointer: String = "") -> [String] {
    if let accepts = schema.bool { return accepts ? [] : ["\(pointer): nothing is allowed here"] }
    var found: [String] = []
    for keyword in schema.members {
      if Self.annotations.contains(keyword.name) || keyword.name.hasPrefix("x-") { continue }
      found += violations(of: value, keyword: keyword, schema: schema, at: pointer)
    }
    return found
  }

  private func violations(
    of value: JSONValue, keyword: JSONValue.Member, schema: JSONValue, at pointer: String
  ) -> [String] {
    switch keyword.name {
    case "$ref", "allOf", "anyOf", "oneOf": combination(value, keyword, at: pointer)
    case "type", "enum", "const": general(value, keyword, at: pointer)
    case "properties", "required", "additionalProperties": object(value, keyword, schema, at: pointer)
    case "items", "minItems", "maxItems", "uniqueItems": array(value, keyword, at: pointer)
    case "minLength", "maxLength", "pattern", "format": text(value, keyword, at: pointer)
    case "minimum", "maximum": number(value, keyword, at: pointer)
    default: ["\(pointer): the schema uses the keyword \(keyword.name), which is not checked"]
    }
  }

  private func combination(_ value: JSONValue, _ keyword: JSONValue.Member, at pointer: String) -> [String] {
    if keyword.name == "$ref" {
      guard let schema = try? document.resolve(keyword.value.string ?? "") else {
        return ["\(pointer): the reference \(keyword.value.text) leads nowhere"]
      }
      return violations(of: value, against: schema, at: pointer)
    }
    let judged = keyword.value.elements.map { violations(of: value, against: $0, at: pointer) }
    let unknown = judged.joined().filter { $0.hasSuffix("which is not checked") }
    let accepted = judged.count(where: \.isEmpty)
    switch keyword.name {
    case "allOf": return judged.flatMap { $0 }
    case _ where !unknown.isEmpty: return unknown
    case "anyOf" where accepted == 0, "oneOf" where accepted == 0:
      return ["\(pointer): none of \(keyword.name) fits"] + judged.flatMap { $0 }
    case "oneOf" where accepted > 1: return ["\(pointer): \(accepted) of oneOf fit"]
    default: return []
    }
  }

  private func general(_ value: JSONValue, _ keyword: JSONValue.Member, at pointer: String) -> [String] {
    switch keyword.name {
    case "type":
      let types = Self.types(keyword.value)
      let isOfType = types.contains(value.typeName) || types.contains("number") && value.integer != nil
      return isOfType ? [] : ["\(pointer): \(value.typeName), not \(types.joined(separator: " or "))"]
    case "enum":
      return keyword.value.elements.contains(value) ? [] : ["\(pointer): \(value.text) is not in the enum"]
    default:
      return value == keyword.value ? [] : ["\(pointer): \(value.text) is not \(keyword.value.text)"]
    }
  }

  /// The types a `type` keyword allows.
  static func types(_ keyword: JSONValue) -> [String] {
    keyword.string.map { [$0] } ?? keyword.elements.compactMap(\.string)
  }

  private func object(
    _ value: JSONValue, _ keyword: JSONValue.Member, _ schema: JSONValue, at pointer: String
  ) -> [String] {
    guard case .object(let members) = value else { return [] }
    let declared = schema["properties"]
    switch keyword.name {
    case "properties":
      let repeated = Dictionary(grouping: members, by: \.name).filter { $0.value.count > 1 }.keys
      return repeated.map { "\(pointer)/\($0): repeated" }
        + members.flatMap { member in
          keyword.value[member.name].map {
            violations(of: member.value, against: $0, at: "\(pointer)/\(member.name)")
          } ?? []
        }
    case "required":
      return keyword.value.elements.compactMap(\.string).filter { value[$0] == nil }
        .map { "\(pointer)/\($0): missing" }
    default:
      return members.filter { declared?[$0.name] == nil }.flatMap { member in
        keyword.value == .bool(false)
          ? ["\(pointer)/\(member.name): undeclared"]
          : violations(of: member.value, against: keyword.value, at: "\(pointer)/\(member.name)")
      }
    }
  }

  private func array(_ value: JSONValue, _ keyword: JSONValue.Member, at pointer: String) -> [String] {
    guard case .array(let elements) = value else { return [] }
    let limit = Int(keyword.value.integer ?? 0)
    switch keyword.name {
    case "items":
      return elements.enumerated().flatMap {
        violations(of: $0.element, against: keyword.value, at: "\(pointer)/\($0.offset)")
      }
    case "minItems": return elements.count >= limit ? [] : ["\(pointer): \(elements.count) items"]
    case "maxItems": return elements.count <= limit ? [] : ["\(pointer): \(elements.count) items"]
    default:
      let isViolated = keyword.value == .bool(true) && Set(elements).count < elements.count
      return isViolated ? ["\(pointer): repeated items"] : []
    }
  }

  private func text(_ value: JSONValue, _ keyword: JSONValue.Member, at pointer: String) -> [String] {
    guard case .string(let text) = value else { return [] }
    let count = text.unicodeScalars.count
    switch keyword.name {
    case "minLength":
      return count >= keyword.value.integer ?? 0 ? [] : ["\(pointer): \(count) characters are too few"]
    case "maxLength":
      return count <= keyword.value.integer ?? 0 ? [] : ["\(pointer): \(count) characters are too many"]
    case "pattern":
      guard let fits = Patterns.matches(text, keyword.value.string ?? "") else {
        return ["\(pointer): \(keyword.value.text) is no pattern"]
      }
      return fits ? [] : ["\(pointer): \(value.text) does not match \(keyword.value.text)"]
    default:
      guard let format = Format(rawValue: keyword.value.string ?? "") else {
        return ["\(pointer): the schema uses the format \(keyword.value.text), which is not checked"]
      }
      return format.accepts(text) ? [] : ["\(pointer): \(value.text) is no \(format.rawValue)"]
    }
  }

  private func number(_ value: JSONValue, _ keyword: JSONValue.Member, at pointer: String) -> [String] {
    let number: Double
    switch value {
    case .integer(let value): number = Double(value)
    case .double(let value): number = value
    default: return []
    }
    let limit = Double(keyword.value.integer ?? 0)
    let fits = keyword.name == "minimum" ? number >= limit : number <= limit
    return fits ? [] : ["\(pointer): \(value.text) is beyond the \(keyword.name)"]
  }
}
