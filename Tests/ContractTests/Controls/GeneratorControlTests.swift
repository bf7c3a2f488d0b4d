import Testing

@testable import ContractDocument

/// The generators keep their promise: they make requests that the contract's own schemas refuse.
struct GeneratorControlTests {
  private let document: OpenAPIDocument
  private let validator: SchemaValidator

  init() throws {
    document = try OpenAPIDocument.contract.get()
    validator = SchemaValidator(document: document)
  }

  @Test("every generated body breaks the schema, and the example it was made of does not")
  func mutationsAreInvalid() throws {
    for operation in document.operations {
      guard let schema = operation.bodySchema, let example = operation.bodyExample else { continue }
      #expect(validator.violations(of: example, against: schema) == [], "\(operation.id)")
      for mutation in try BodyMutation.all(of: operation, from: example, in: document) {
        guard case .json(let body) = mutation.body else { continue }
        #expect(validator.violations(of: body, against: schema) != [], "\(operation.id): \(mutation.name)")
        #expect(operation.responses[mutation.status] != nil, "\(operation.id): \(mutation.name)")
        #expect(operation.codes[mutation.status]?.contains(mutation.codes[0]) == true, "\(mutation.name)")
      }
    }
  }

  @Test("every member of every body is dropped if required, mistyped and pushed beyond its limits")
  func mutationsAreComplete() throws {
    for operation in document.operations {
      guard let schema = operation.bodySchema, let example = operation.bodyExample else { continue }
      let names = try BodyMutation.all(of: operation, from: example, in: document).map(\.name)
      for slot in try BodySlot.all(in: schema, of: document) {
        #expect(names.contains("without \(slot.name)") == slot.isRequired, "\(operation.id) \(slot.name)")
        #expect(names.count { $0.hasSuffix(" as \(slot.name)") } >= 4, "\(operation.id) \(slot.name)")
        let limits: Set = ["minLength", "maxLength", "minimum", "maximum", "enum", "pattern", "format"]
        let stated = slot.schema.members.count { limits.contains($0.name) }
        let beyond = BadValues.beyond(slot.schema)
        #expect(beyond.count >= stated, "\(operation.id) \(slot.name)")
        for limit in slot.schema.members where limits.contains(limit.name) {
          let alone: JSONValue = .object([limit])
          #expect(
            beyond.contains { !validator.violations(of: $0, against: alone).isEmpty },
            "\(operation.id) \(slot.name): nothing is beyond \(limit.name)")
        }
      }
    }
  }

  @Test("every malformed body is malformed or of no schema of the contract")
  func malformedBodiesAreMalformed() throws {
    let schema: JSONValue = ["$ref": "#/components/schemas/ClockInRequest"]
    for (name, bytes) in MalformedBodies.all(from: ["notes": "a"]) {
      let value = try? JSONParser.parse(bytes)
      #expect(value.map { validator.violations(of: $0, against: schema) != [] } ?? true, "\(name)")
    }
  }
}
