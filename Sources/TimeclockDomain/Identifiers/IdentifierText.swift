/// The text of an id of any kind.
@usableFromInline
package enum IdentifierText {
  /// Reads 36 characters as `Identifier` writes them: its first 64 bits, and its last; nil for any other text.
  @usableFromInline
  package static func halves(_ text: String) -> (high: UInt64, low: UInt64)? {
    var text = text
    return text.withUTF8(halves)
  }

  private static func halves(_ text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard text.count == 36 else { return nil }
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    for position in 0..<36 {
      let byte = text[position]
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = value(ofHexDigit: byte) else { return nil }
      if position < 18 {
        halves.high = halves.high << 4 | digit
      } else {
        halves.low = halves.low << 4 | digit
      }
    }
    let isVersion7 = halves.high >> 12 & 0xF == 7 && halves.low >> 62 == 0b10
    return isVersion7 ? halves : nil
  }

  private static func value(ofHexDigit byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}
