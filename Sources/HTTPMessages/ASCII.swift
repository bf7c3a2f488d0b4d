/// The constants and tests for the bytes of a request. They know only ASCII.
package enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let percent: UInt8 = 0x25
  static let asterisk: UInt8 = 0x2A
  static let comma: UInt8 = 0x2C
  static let dot: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let colon: UInt8 = 0x3A
  static let semicolon: UInt8 = 0x3B
  static let equals: UInt8 = 0x3D
  static let questionMark: UInt8 = 0x3F
  static let leftBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let rightBracket: UInt8 = 0x5D
  static let quotationMark: UInt8 = 0x22

  /// `A` to `Z` as `a` to `z`; any other byte as it is.
  @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// SP or HTAB, the bytes of optional white space (RFC 9110, section 5.6.3).
  @inline(__always)
  package static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == space || byte == tab
  }

  /// The value of a decimal digit, nil for any other byte.
  @inline(__always)
  static func digit(_ byte: UInt8) -> Int? {
    let value = byte &- 0x30
    return value < 10 ? Int(value) : nil
  }

  /// The value of a hexadecimal digit in either case, nil for any other byte.
  @inline(__always)
  package static func hexadecimalDigit(_ byte: UInt8) -> Int? {
    if let value = digit(byte) { return value }
    let value = lowercased(byte) &- 0x61
    return value < 6 ? Int(value) + 10 : nil
  }
}
