import Testing

@testable import ContractDocument

/// Each rule of the validator with a value it accepts and the nearest one it refuses.
struct SchemaValidatorTests {
  /// A schema, a value that fits and its twin that does not.
  struct Twins: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var schema: JSONValue
    var fits: JSONValue
    var doesNot: JSONValue

    init(_ name: String, _ schema: JSONValue, fits: JSONValue, doesNot: JSONValue) {
      testDescription = name
      self.schema = schema
      self.fits = fits
      self.doesNot = doesNot
    }
  }

  static let twins: [Twins] = [
    Twins("type", ["type": "string"], fits: "a", doesNot: 1),
    Twins("type boolean", ["type": "boolean"], fits: true, doesNot: "true"),
    Twins("type array", ["type": "array"], fits: [], doesNot: [:]),
    Twins("type null", ["type": "null"], fits: nil, doesNot: false),
    Twins("an integer is a number", ["type": "number"], fits: 1, doesNot: "1"),
    Twins("a fraction is no integer", ["type": "integer"], fits: 1, doesNot: .double(1.5)),
    Twins("several types", ["type": ["string", "null"]], fits: nil, doesNot: 0),
    Twins("enum", ["enum": ["a", "b"]], fits: "b", doesNot: "c"),
    Twins("const", ["const": "a"], fits: "a", doesNot: "A"),
    Twins("required", ["required": ["a"]], fits: ["a": nil], doesNot: ["b": nil]),
    Twins("properties", ["properties": ["a": ["type": "null"]]], fits: ["a": nil], doesNot: ["a": 1]),
    Twins(
      "additionalProperties false", ["properties": ["a": true], "additionalProperties": false],
      fits: ["a": 1], doesNot: ["a": 1, "b": 1]),
    Twins(
      "additionalProperties schema", ["additionalProperties": ["type": "string"]], fits: ["a": "b"],
      doesNot: ["a": 1]),
    Twins(
      "repeated member", ["properties": ["a": true]], fits: ["a": 1],
      doesNot: .object([.init("a", 1), .init("a", 1)])),
    Twins("items", ["items": ["type": "string"]], fits: ["a"], doesNot: ["a", 1]),
    Twins("minItems", ["minItems": 1], fits: [1], doesNot: []),
    Twins("maxItems", ["maxItems": 1], fits: [1], doesNot: [1, 2]),
    Twins("uniqueItems", ["uniqueItems": true], fits: [1, 2], doesNot: [1, 1]),
    Twins("minLength", ["minLength": 1], fits: "a", doesNot: ""),
    Twins("maxLength", ["maxLength": 2], fits: "ab", doesNot: "abc"),
    Twins("length in code points", ["maxLength": 1], fits: "😀", doesNot: "e\u{301}"),
    Twins("pattern", ["pattern": "^[0-9]+$"], fits: "12", doesNot: "1a"),
    Twins("pattern to the very end", ["pattern": "^[0-9]+$"], fits: "12", doesNot: "12\n"),
    Twins("minimum", ["minimum": 1], fits: 1, doesNot: 0),
    Twins("maximum", ["maximum": 1], fits: 1, doesNot: .double(1.5)),
    Twins("date", ["format": "date"], fits: "2024-02-29", doesNot: "2026-02-29"),
    Twins("date-time", ["format": "date-time"], fits: "2026-01-01T00:00:00Z", doesNot: "2026-01-01T00:00:00"),
    Twins("email", ["format": "email"], fits: "a@b", doesNot: "a b@c"),
    Twins(
      "uuid", ["format": "uuid"], fits: "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b",
      doesNot: "019AA0F2-3C00-7A10-8B20-1C2D3E4F5A6B"),
    Twins("allOf", ["allOf": [["minLength": 1], ["maxLength": 1]]], fits: "a", doesNot: "ab"),
    Twins("anyOf", ["anyOf": [["type": "string"], ["type": "null"]]], fits: nil, doesNot: 1),
    Twins("oneOf none", ["oneOf": [["type": "string"], ["type": "null"]]], fits: "a", doesNot: 1),
    Twins("oneOf several", ["oneOf": [["type": "string"], ["const": "a"]]], fits: "b", doesNot: "a"),
    Twins("$ref", ["$ref": "#/components/schemas/ID"], fits: "019a", doesNot: 1),
    Twins("false schema", ["properties": ["a": false]], fits: [:], doesNot: ["a": 1]),
  ]

  private let validator: SchemaValidator

  init() throws {
    validator = SchemaValidator(
      document: try OpenAPIDocument(root: ["components": ["schemas": ["ID": ["type": "string"]]]]))
  }

  @Test("accepts what fits and refuses its twin", arguments: twins)
  func judges(_ twins: Twins) {
    #expect(validator.violations(of: twins.fits, against: twins.schema) == [])
    #expect(validator.violations(of: twins.doesNot, against: twins.schema).count >= 1)
  }

  @Test("every assertion it claims to check has twins")
  func twinsAreComplete() {
    func keywords(_ schema: JSONValue) -> [String] {
      schema.members.flatMap { member -> [String] in
        let inner = member.name == "properties" ? member.value.members.map(\.value) : [member.value]
        return [member.name] + (inner + member.value.elements).flatMap(keywords)
      }
    }
    let covered = Set(Self.twins.flatMap { keywords($0.schema) })
    #expect(SchemaValidator.assertions.subtracting(covered) == [])
  }

  @Test("a keyword or format it does not know is a violation, also inside oneOf")
  func unknownIsRefused() {
    for schema: JSONValue in [
      ["multipleOf": 2], ["format": "hostname"],
      ["oneOf": [["multipleOf": 2], ["type": ["integer", "string"]]]],
    ] {
      let violations = validator.violations(of: schema["format"] == nil ? 4 : "a", against: schema)
      #expect(violations.contains { $0.hasSuffix("which is not checked") }, "\(schema.text)")
    }
  }

  @Test("a violation names its place")
  func violationsNameTheirPlace() {
    let schema: JSONValue = ["properties": ["a": ["items": ["type": "string"]]]]
    #expect(validator.violations(of: ["a": ["b", 1]], against: schema) == ["/a/1: integer, not string"])
  }
}
