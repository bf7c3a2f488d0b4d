@testable import ContractDocument

/// A body that an operation must refuse, and how.
struct BodyMutation: Sendable {
  var name: String
  var body: Call.Body
  var status: Int
  /// The problem codes allowed; empty for any that is documented.
  var codes: [String]

  /// Every refusal the schema of the operation's body calls for, derived from a body that is accepted.
  static func all(of operation: Operation, from valid: JSONValue, in document: OpenAPIDocument) throws
    -> [Self]
  {
    guard let schema = operation.bodySchema else { return [] }
    let slots = try BodySlot.all(in: schema, of: document)
    return try slots.flatMap { try $0.mutations(of: valid, in: document) }
      + unknownAndRepeated(valid, schema: schema, document: document) + wholeBody(of: operation)
  }

  private static func unknownAndRepeated(
    _ valid: JSONValue, schema: JSONValue, document: OpenAPIDocument
  ) throws -> [Self] {
    let objects = try [[]] + BodySlot.all(in: schema, of: document).filter(\.isObject).map(\.path)
    // The task timer ignores unknown properties.
    let isOpen = try document.dereferenced(schema)["additionalProperties"] == .bool(true)
    let unknown =
      isOpen
      ? []
      : objects.flatMap { path in
        ["unknown", "__proto__", ""].map { name in
          Self(
            name: "unknown member \(name) in /\(path.joined(separator: "/"))",
            body: .json(valid.changing(at: path) { $0.setting(name, to: nil) }), status: 400,
            codes: ["invalid_body"])
        }
      }
    let repeated = valid.members.map { member in
      Self(
        name: "repeated \(member.name)", body: .json(.object(valid.members + [member])), status: 400,
        codes: ["invalid_body", "malformed_json"])
    }
    return unknown + repeated
  }

  private static func wholeBody(of operation: Operation) -> [Self] {
    let others: [JSONValue] = [nil, [], "text", 7, true]
    let wrongTypes = others.map {
      Self(name: "\($0.typeName) as body", body: .json($0), status: 400, codes: ["invalid_body"])
    }
    let absent = Self(name: "no body", body: .none, status: 400, codes: ["invalid_body", "malformed_json"])
    return operation.isBodyRequired ? wrongTypes + [absent] : wrongTypes
  }
}
