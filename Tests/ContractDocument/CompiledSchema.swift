import Synchronization

/// A schema as values are judged by it: each keyword is read once, and members are found by name.
///
/// The tests judge some hundred thousand answers by the same schemas.
struct CompiledSchema: Sendable {
  /// A keyword and its requirement.
  enum Check: Sendable {
    /// The schema `false`.
    case nothing
    /// `$ref`: the reference as written.
    case reference(String)
    case allOf([CompiledSchema])
    case anyOf([CompiledSchema])
    case oneOf([CompiledSchema])
    case types([String])
    case values(Set<JSONValue>)
    case constant(JSONValue)
    case object(ObjectRules)
    case items(CompiledSchema)
    case itemCount(ClosedRange<Int>)
    case uniqueItems
    case length(ClosedRange<Int64>)
    case pattern(String)
    case format(Format)
    /// A format of texts that the tests do not know; numbers may have any.
    case uncheckedFormat(String)
    case minimum(Double)
    case maximum(Double)
    /// A keyword that the tests do not know.
    case unchecked(String)
  }

  /// `properties`, `required` and `additionalProperties`.
  struct ObjectRules: Sendable {
    var properties: [String: CompiledSchema]?
    var required: [String] = []
    /// For members without a schema of their own; nil if they are allowed.
    var others: CompiledSchema?
  }

  let checks: [Check]

  /// Reads a schema. Its references are not followed.
  init(_ schema: JSONValue) {
    if let accepts = schema.bool {
      checks = accepts ? [] : [.nothing]
      return
    }
    var checks: [Check] = []
    var object: ObjectRules?
    for keyword in schema.members where !SchemaValidator.isAnnotation(keyword.name) {
      let value = keyword.value
      switch keyword.name {
      case "properties":
        object = object ?? ObjectRules()
        object?.properties = Dictionary(
          value.members.map { ($0.name, CompiledSchema($0.value)) }, uniquingKeysWith: { first, _ in first })
      case "required":
        object = object ?? ObjectRules()
        object?.required = value.elements.compactMap(\.string)
      case "additionalProperties":
        object = object ?? ObjectRules()
        object?.others = CompiledSchema(value)
      default: Self.check(keyword.name, value).map { checks.append($0) }
      }
    }
    object.map { checks.append(.object($0)) }
    self.checks = checks
  }

  /// The check of a keyword other than those of objects; nil if it asks for nothing.
  private static func check(_ keyword: String, _ value: JSONValue) -> Check? {
    let limit = value.integer ?? 0
    return switch keyword {
    case "$ref": .reference(value.string ?? "")
    case "allOf": .allOf(value.elements.map(CompiledSchema.init))
    case "anyOf": .anyOf(value.elements.map(CompiledSchema.init))
    case "oneOf": .oneOf(value.elements.map(CompiledSchema.init))
    case "type": .types(SchemaValidator.types(value))
    case "enum": .values(Set(value.elements))
    case "const": .constant(value)
    case "items": .items(CompiledSchema(value))
    case "minItems": .itemCount(Int(limit)...Int.max)
    case "maxItems": .itemCount(0...Int(limit))
    case "uniqueItems": value.bool == true ? .uniqueItems : nil
    case "minLength": .length(limit...Int64.max)
    case "maxLength": .length(0...limit)
    case "pattern": .pattern(value.string ?? "")
    case "format":
      Format(rawValue: value.string ?? "").map { .format($0) } ?? .uncheckedFormat(value.text)
    case "minimum": .minimum(Double(limit))
    case "maximum": .maximum(Double(limit))
    default: .unchecked(keyword)
    }
  }
}

/// The compiled schemas that a document's references lead to.
final class CompiledReferences: Sendable {
  private let compiled = Mutex<[String: CompiledSchema]>([:])

  /// The schema of a reference, which `resolve` reads at its first use.
  func schema(of reference: String, resolve: () throws -> JSONValue) rethrows -> CompiledSchema {
    if let known = compiled.withLock({ $0[reference] }) { return known }
    let schema = CompiledSchema(try resolve())
    compiled.withLock { $0[reference] = schema }
    return schema
  }
}
