/// A JSON value that keeps the order of members, and repeated ones, as they are written.
indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One member of an object.
  struct Member: Hashable, Sendable {
    var name: String
    var value: JSONValue

    init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of the first member with this name; nil without such a member, or if this is not an object.
  subscript(_ name: String) -> JSONValue? {
    members.first { $0.name == name }?.value
  }

  /// The members of an object; none for any other value.
  var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The elements of an array; none for any other value.
  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// The text of a string; nil for any other value.
  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of an integer; nil for any other value.
  var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The value of a boolean; nil for any other value.
  var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The name of the value's type in JSON Schema; an integer is a `number` too.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSONValue {
  /// The object with one member replaced, or added at the end.
  func setting(_ name: String, to value: JSONValue) -> JSONValue {
    var members = members
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].value = value
    } else {
      members.append(Member(name, value))
    }
    return .object(members)
  }

  /// The object without any member of this name.
  func removing(_ name: String) -> JSONValue {
    .object(members.filter { $0.name != name })
  }

  /// The value with `change` applied to the part that the object member names in `path` lead to.
  func changing(at path: some Collection<String>, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    guard let name = path.first else { return change(self) }
    let inner = (self[name] ?? .object([])).changing(at: path.dropFirst(), change)
    return setting(name, to: inner)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(floatLiteral value: Double) { self = .double(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(nilLiteral: ()) { self = .null }
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
