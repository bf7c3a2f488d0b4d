/// Reads a number by the grammar of RFC 8259, section 6.
struct JSONNumberParser {
  let bytes: [UInt8]
  /// The place where the number begins; after `parse()`, the place where it ends.
  private(set) var offset: Int

  init(bytes: [UInt8], offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Reads the number; nil for anything else, and for a number beyond the range of `Double`.
  mutating func parse() -> JSONValue? {
    let start = offset
    _ = take("-")
    guard parseIntegerPart() else { return nil }
    let isPlain = parseFractionAndExponent()
    guard let isPlain else { return nil }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isPlain, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { return nil }
    return Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ characters: Unicode.Scalar...) -> Bool {
    guard let byte = peek, characters.contains(Unicode.Scalar(byte)) else { return false }
    offset += 1
    return true
  }

  /// Takes at least one digit.
  private mutating func takeDigits() -> Bool {
    let start = offset
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    return offset > start
  }

  private mutating func parseIntegerPart() -> Bool {
    take("0") || takeDigits()
  }

  /// Takes the fraction and the exponent, and returns whether the number has neither; nil if one of them is malformed.
  private mutating func parseFractionAndExponent() -> Bool? {
    var isPlain = true
    if take(".") {
      isPlain = false
      guard takeDigits() else { return nil }
    }
    if take("e", "E") {
      isPlain = false
      _ = take("+", "-")
      guard takeDigits() else { return nil }
    }
    return isPlain
  }
}
