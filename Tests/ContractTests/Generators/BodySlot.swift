@testable import ContractDocument

/// One member of a body, at any depth, with its schema.
struct BodySlot: Sendable {
  /// The names that lead to it.
  var path: [String]
  /// Without references and without the null of an optional member.
  var schema: JSONValue
  var isNullable: Bool
  var isRequired: Bool

  var name: String { "/" + path.joined(separator: "/") }

  /// Whether it has members itself.
  var isObject: Bool { schema["properties"] != nil }

  /// All members that a body of this schema can have, outer ones before inner ones.
  static func all(
    in schema: JSONValue, of document: OpenAPIDocument, under path: [String] = []
  ) throws -> [BodySlot] {
    let schema = try document.dereferenced(schema)
    let required = (schema["required"] ?? .null).elements.compactMap(\.string)
    return try (schema["properties"] ?? .null).members.flatMap { member -> [BodySlot] in
      var inner = try document.dereferenced(member.value)
      let choices = inner["oneOf"]?.elements ?? []
      let isNullable =
        choices.contains(["type": "null"]) || SchemaValidator.types(inner["type"] ?? .null).contains("null")
      if let choice = choices.first(where: { $0 != ["type": "null"] }) {
        inner = try document.dereferenced(choice)
      }
      let slot = BodySlot(
        path: path + [member.name], schema: inner, isNullable: isNullable,
        isRequired: required.contains(member.name))
      return try [slot] + all(in: inner, of: document, under: slot.path)
    }
  }

  /// The bodies that break the schema of this member, one rule at a time.
  func mutations(of valid: JSONValue, in document: OpenAPIDocument) throws -> [BodyMutation] {
    var found: [BodyMutation] = []
    if isRequired {
      let without = valid.changing(at: path.dropLast()) { $0.removing(path[path.count - 1]) }
      found.append(
        BodyMutation(name: "without \(name)", body: .json(without), status: 400, codes: ["invalid_body"]))
    }
    for value in wrongTypes {
      found.append(refused(valid, value, "\(value.typeName) as \(name)", 400, "invalid_body"))
    }
    let refusal = schema["x-refusal"]
    let status = Int(refusal?["status"]?.integer ?? 400)
    let code = refusal?["code"]?.string ?? "invalid_body"
    for value in BadValues.beyond(schema) {
      found.append(refused(valid, value, "\(value.text.prefix(40)) as \(name)", status, code))
    }
    return found
  }

  private func refused(
    _ valid: JSONValue, _ value: JSONValue, _ name: String, _ status: Int, _ code: String
  ) -> BodyMutation {
    BodyMutation(
      name: name, body: .json(valid.changing(at: path) { _ in value }), status: status, codes: [code])
  }

  private var wrongTypes: [JSONValue] {
    let types = SchemaValidator.types(schema["type"] ?? .null)
    let samples: [JSONValue] = [nil, true, 7, .double(1.5), "text", ["a"], ["a": 1]]
    return samples.filter { sample in
      if sample == .null { return !isNullable }
      return !types.contains(sample.typeName)
        // An integer is a number.
        && !(sample.typeName == "integer" && types.contains("number"))
    }
  }
}
