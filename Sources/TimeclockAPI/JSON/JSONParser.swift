import HTTPMessages

/// Reads one JSON text strictly by RFC 8259, in UTF-8.
///
/// Foundation's `JSONDecoder` keeps the first of two members with one name and drops unknown ones in silence.
/// A time clock must refuse both, so this parser shows everything that was sent.
struct JSONParser {
  /// The greatest depth of nested arrays and objects.
  static let depthLimit = 32

  /// The most bytes that a member's name may have: many times the length of the contract's longest.
  static let nameByteLimit = 256

  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the value that the bytes represent.
  ///
  /// - Throws: `JSONSyntaxError`.
  static func parse(_ bytes: [UInt8]) throws -> JSONValue {
    var parser = JSONParser(bytes)
    parser.skipWhitespace()
    let value = try parser.parseValue()
    parser.skipWhitespace()
    guard parser.peek == nil else { throw parser.error("There is text after the JSON value") }
    return value
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func error(_ detail: String) -> JSONSyntaxError {
    JSONSyntaxError(detail: "\(detail) (at byte \(offset)).", offset: offset)
  }

  private mutating func skipWhitespace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  /// Takes the next byte if it is this one, and returns whether it is.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func parseValue() throws -> JSONValue {
    switch peek {
    case UInt8(ascii: "{"): return try nested { try $0.parseObject() }
    case UInt8(ascii: "["): return try nested { try $0.parseArray() }
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      var number = JSONNumberParser(bytes: bytes, offset: offset)
      guard let value = number.parse() else { throw error("This is not a number") }
      offset = number.offset
      return value
    case nil: throw error("The JSON text ends too early")
    default: throw error("A JSON value was expected")
    }
  }

  private mutating func nested(
    _ parse: (inout JSONParser) throws -> JSONValue
  ) throws -> JSONValue {
    guard depth < Self.depthLimit else { throw error("The JSON text is nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    offset += 1
    skipWhitespace()
    return try parse(&self)
  }

  private mutating func parseWord(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
    let end = offset + word.utf8CodeUnitCount
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard end <= bytes.count, bytes[offset..<end].elementsEqual(expected) else {
      throw error("A JSON value was expected")
    }
    offset = end
    return value
  }

  private mutating func parseArray() throws -> JSONValue {
    var elements: [JSONValue] = []
    if take("]") { return .array(elements) }
    while true {
      elements.append(try parseValue())
      skipWhitespace()
      if take("]") { return .array(elements) }
      guard take(",") else { throw error("A comma or ] was expected") }
      skipWhitespace()
    }
  }

  private mutating func parseObject() throws -> JSONValue {
    var members: [JSONValue.Member] = []
    // Names are compared as bytes. Swift's `String` would first bring both into a normal form, in a time that grows
    // with the square of the length.
    var names: Set<[UInt8]> = []
    if take("}") { return .object(members) }
    while true {
      guard peek == UInt8(ascii: "\"") else { throw error("The name of a property was expected") }
      let name = try parseString()
      guard name.utf8.count <= Self.nameByteLimit else { throw error("The name of a property is too long") }
      guard names.insert(Array(name.utf8)).inserted else {
        throw error("A property is repeated in an object")
      }
      skipWhitespace()
      guard take(":") else { throw error("A colon was expected") }
      skipWhitespace()
      members.append(JSONValue.Member(name: name, value: try parseValue()))
      skipWhitespace()
      if take("}") { return .object(members) }
      guard take(",") else { throw error("A comma or } was expected") }
      skipWhitespace()
    }
  }

  private mutating func parseString() throws -> String {
    offset += 1
    let start = offset
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      offset += 1
    }
    if peek == UInt8(ascii: "\"") {
      defer { offset += 1 }
      return try text(bytes[start..<offset])
    }
    return try parseEscapedString(beginningWith: Array(bytes[start..<offset]))
  }

  private mutating func parseEscapedString(beginningWith beginning: [UInt8]) throws -> String {
    var content = beginning
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        defer { offset += 1 }
        return try text(content[...])
      case UInt8(ascii: "\\"):
        offset += 1
        content.append(contentsOf: Array(String(try parseEscape()).utf8))
      case 0x20...:
        content.append(byte)
        offset += 1
      default:
        throw error("A control character in a string must be escaped")
      }
    }
    throw error("A string is not closed")
  }

  /// Returns the bytes as text. Swift's `String` compares equal to other spellings in Unicode, but keeps this one.
  private func text(_ content: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw error("A string is not valid UTF-8")
    }
    return text
  }

  private mutating func parseEscape() throws -> Unicode.Scalar {
    guard let byte = peek else { throw error("A string is not closed") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try parseUnicodeEscape()
    default: throw error("There is no such escape in JSON")
    }
  }

  private mutating func parseUnicodeEscape() throws -> Unicode.Scalar {
    let unit = try parseFourDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard (0xD800...0xDBFF).contains(unit), take("\\"), take("u") else {
      throw error("A surrogate stands alone")
    }
    let second = try parseFourDigits()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("A surrogate stands alone") }
    return scalar
  }

  private mutating func parseFourDigits() throws -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = ASCII.hexadecimalDigit(byte) else {
        throw error("Four hexadecimal digits were expected")
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}
