import Yams

extension JSONValue {
  /// Reads the part of YAML that `openapi.yaml` uses: the values of JSON, with plain scalars as in YAML 1.2.
  init(yaml text: String) throws {
    guard let node = try Yams.compose(yaml: text) else { throw DocumentError("the document is empty") }
    try self.init(node)
  }

  private init(_ node: Node) throws {
    switch node {
    case .mapping(let mapping):
      self = .object(
        try mapping.map { key, value in
          guard let name = key.scalar?.string else { throw DocumentError("a key is no text") }
          return Member(name, try JSONValue(value))
        })
    case .sequence(let sequence): self = .array(try sequence.map { try JSONValue($0) })
    case .scalar(let scalar):
      self = scalar.style == .plain ? Self.plain(scalar.string) : .string(scalar.string)
    case .alias: throw DocumentError("the document uses an alias")
    }
  }

  private static func plain(_ text: String) -> JSONValue {
    switch text {
    case "null", "~", "": .null
    case "true": .bool(true)
    case "false": .bool(false)
    default: Int64(text).map { .integer($0) } ?? decimal(text).map { .double($0) } ?? .string(text)
    }
  }

  /// The number that digits with one point between them are; nil for any other text, such as a version or `inf`.
  private static func decimal(_ text: String) -> Double? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isDecimal = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
    return parts.count == 2 && isDecimal ? Double(text) : nil
  }
}

/// A fault that keeps the document from being used.
struct DocumentError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
