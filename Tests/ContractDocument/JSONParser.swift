/// Reads JSON (RFC 8259) strictly: UTF-8, one value, nothing after it. It is independent of the service's parser.
struct JSONParser {
  /// The place and the reason at which the text is not JSON.
  struct Failure: Error, Hashable {
    var offset: Int
    var reason: String
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The value that the bytes spell.
  static func parse(_ bytes: [UInt8]) throws -> JSONValue {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Failure(offset: 0, reason: "not UTF-8")
    }
    var parser = JSONParser(bytes)
    parser.skipWhitespace()
    let value = try parser.value()
    parser.skipWhitespace()
    guard parser.offset == bytes.count else { throw parser.failure("something after the value") }
    return value
  }

  private func failure(_ reason: String) -> Failure { Failure(offset: offset, reason: reason) }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipWhitespace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard offset + count <= bytes.count,
      bytes[offset..<offset + count].elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: count))
    else { return false }
    offset += count
    return true
  }

  private mutating func value() throws -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): return try nested { try $0.object() }
    case UInt8(ascii: "["): return try nested { try $0.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case _ where take("null"): return .null
    case _ where take("true"): return .bool(true)
    case _ where take("false"): return .bool(false)
    default: return try number()
    }
  }

  private mutating func nested(_ body: (inout JSONParser) throws -> JSONValue) throws -> JSONValue {
    guard depth < 64 else { throw failure("too deep") }
    depth += 1
    defer { depth -= 1 }
    offset += 1
    skipWhitespace()
    return try body(&self)
  }

  private mutating func object() throws -> JSONValue {
    var members: [JSONValue.Member] = []
    if take("}") { return .object(members) }
    while true {
      let name = try string()
      skipWhitespace()
      guard take(":") else { throw failure("no colon") }
      skipWhitespace()
      members.append(JSONValue.Member(name, try value()))
      skipWhitespace()
      if take("}") { return .object(members) }
      guard take(",") else { throw failure("no comma") }
      skipWhitespace()
    }
  }

  private mutating func array() throws -> JSONValue {
    var elements: [JSONValue] = []
    if take("]") { return .array(elements) }
    while true {
      elements.append(try value())
      skipWhitespace()
      if take("]") { return .array(elements) }
      guard take(",") else { throw failure("no comma") }
      skipWhitespace()
    }
  }

  private mutating func string() throws -> String {
    guard take("\"") else { throw failure("no string") }
    var units: [UInt8] = []
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
      case UInt8(ascii: "\\"): units.append(contentsOf: Array(String(try escape()).utf8))
      case 0..<0x20: throw failure("a raw control character")
      default: units.append(byte)
      }
    }
    throw failure("a string without end")
  }

  private mutating func escape() throws -> Unicode.Scalar {
    let byte = next
    offset += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw failure("an unknown escape")
    }
  }

  private mutating func unicodeEscape() throws -> Unicode.Scalar {
    let first = try hexDigits()
    guard first & 0xFC00 == 0xD800 else {
      guard let scalar = Unicode.Scalar(first) else { throw failure("a lone surrogate") }
      return scalar
    }
    guard take("\\u") else { throw failure("a lone surrogate") }
    let second = try hexDigits()
    guard second & 0xFC00 == 0xDC00,
      let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF))
    else { throw failure("a lone surrogate") }
    return scalar
  }

  private mutating func hexDigits() throws -> UInt32 {
    guard offset + 4 <= bytes.count else { throw failure("a short escape") }
    var value: UInt32 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw failure("no hex digit") }
      value = value << 4 | UInt32(digit)
    }
    offset += 4
    return value
  }

  private mutating func number() throws -> JSONValue {
    let start = offset
    let isDigit = { (byte: UInt8?) in byte.map { $0 &- 0x30 < 10 } ?? false }
    _ = take("-")
    guard isDigit(next) else { throw failure("no value") }
    if !take("0") { while isDigit(next) { offset += 1 } }
    var isInteger = true
    if take(".") {
      isInteger = false
      guard isDigit(next) else { throw failure("no digit after the point") }
      while isDigit(next) { offset += 1 }
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("+") { _ = take("-") }
      guard isDigit(next) else { throw failure("no digit in the exponent") }
      while isDigit(next) { offset += 1 }
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text) else { throw failure("no number") }
    return .double(value)
  }
}
