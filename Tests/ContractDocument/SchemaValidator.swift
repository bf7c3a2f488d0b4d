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

  /// Whether a keyword asserts nothing.
  static func isAnnotation(_ keyword: String) -> Bool {
    annotations.contains(keyword) || keyword.hasPrefix("x-")
  }

  /// The types a `type` keyword allows.
  static func types(_ keyword: JSONValue) -> [String] {
    keyword.string.map { [$0] } ?? keyword.elements.compactMap(\.string)
  }

  /// Returns the faults of the value; empty if it is valid. Each line begins with a JSON Pointer.
  func violations(of value: JSONValue, against schema: JSONValue, at pointer: String = "") -> [String] {
    violations(of: value, CompiledSchema(schema)).map { pointer + $0 }
  }

  /// Returns the faults, each with a pointer from this value on.
  private func violations(of value: JSONValue, _ schema: CompiledSchema) -> [String] {
    var found: [String] = []
    for check in schema.checks { found += violations(of: value, check) }
    return found
  }

  private func violations(of value: JSONValue, _ check: CompiledSchema.Check) -> [String] {
    switch check {
    case .nothing: return [": nothing is allowed here"]
    case .unchecked(let name): return [": the schema uses the keyword \(name), which is not checked"]
    case .reference(let reference):
      let schema = try? document.compiled.schema(of: reference) { try document.resolve(reference) }
      return schema.map { violations(of: value, $0) } ?? [": the reference \(reference) leads nowhere"]
    case .allOf(let schemas): return schemas.flatMap { violations(of: value, $0) }
    case .anyOf(let schemas): return choice(value, schemas, of: "anyOf", atMost: schemas.count)
    case .oneOf(let schemas): return choice(value, schemas, of: "oneOf", atMost: 1)
    case .types(let types):
      let name = value.typeName
      let isOfType = types.contains(name) || name == "integer" && types.contains("number")
      return isOfType ? [] : [": \(name), not \(types.joined(separator: " or "))"]
    case .values(let values): return values.contains(value) ? [] : [": \(value.text) is not in the enum"]
    case .constant(let constant): return value == constant ? [] : [": \(value.text) is not \(constant.text)"]
    case .object(let rules): return object(value, rules)
    case .items, .itemCount, .uniqueItems: return array(value, check)
    case .length, .pattern, .format, .uncheckedFormat: return text(value, check)
    case .minimum(let limit): return number(value) { $0 >= limit }
    case .maximum(let limit): return number(value) { $0 <= limit }
    }
  }

  private func choice(
    _ value: JSONValue, _ schemas: [CompiledSchema], of name: String, atMost most: Int
  ) -> [String] {
    let judged = schemas.map { violations(of: value, $0) }
    let unknown = judged.joined().filter { $0.hasSuffix("which is not checked") }
    if !unknown.isEmpty { return unknown }
    let accepted = judged.count(where: \.isEmpty)
    if accepted == 0 { return [": none of \(name) fits"] + judged.flatMap { $0 } }
    return accepted > most ? [": \(accepted) of \(name) fit"] : []
  }

  private func object(_ value: JSONValue, _ rules: CompiledSchema.ObjectRules) -> [String] {
    guard case .object(let members) = value else { return [] }
    var found: [String] = []
    var names: Set<String> = []
    for member in members {
      let isRepeated = !names.insert(member.name).inserted
      if isRepeated, rules.properties != nil { found.append("/\(member.name): repeated") }
      let faults: [String]
      if let schema = rules.properties?[member.name] {
        faults = violations(of: member.value, schema)
      } else if let others = rules.others {
        if case .nothing? = others.checks.first {
          faults = [": undeclared"]
        } else {
          faults = violations(of: member.value, others)
        }
      } else {
        continue
      }
      for fault in faults { found.append("/\(member.name)\(fault)") }
    }
    for name in rules.required where !names.contains(name) { found.append("/\(name): missing") }
    return found
  }

  private func array(_ value: JSONValue, _ check: CompiledSchema.Check) -> [String] {
    guard case .array(let elements) = value else { return [] }
    switch check {
    case .items(let schema):
      var found: [String] = []
      for (index, element) in elements.enumerated() {
        for fault in violations(of: element, schema) { found.append("/\(index)\(fault)") }
      }
      return found
    case .itemCount(let allowed): return allowed.contains(elements.count) ? [] : [": \(elements.count) items"]
    default: return Set(elements).count < elements.count ? [": repeated items"] : []
    }
  }

  private func text(_ value: JSONValue, _ check: CompiledSchema.Check) -> [String] {
    guard case .string(let text) = value else { return [] }
    switch check {
    case .length(let allowed):
      let count = Int64(text.unicodeScalars.count)
      if allowed.contains(count) { return [] }
      return [": \(count) characters are too \(count < allowed.lowerBound ? "few" : "many")"]
    case .pattern(let pattern):
      guard let fits = Patterns.matches(text, pattern) else { return [": \(pattern) is no pattern"] }
      return fits ? [] : [": \(value.text) does not match \(pattern)"]
    case .format(let format): return format.accepts(text) ? [] : [": \(value.text) is no \(format.rawValue)"]
    case .uncheckedFormat(let name): return [": the schema uses the format \(name), which is not checked"]
    default: return []
    }
  }

  private func number(_ value: JSONValue, _ fits: (Double) -> Bool) -> [String] {
    let number: Double
    switch value {
    case .integer(let value): number = Double(value)
    case .double(let value): number = value
    default: return []
    }
    return fits(number) ? [] : [": \(value.text) is beyond the limit"]
  }
}
