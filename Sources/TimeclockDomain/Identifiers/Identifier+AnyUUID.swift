extension Identifier {
  /// The id of nothing: the nil UUID (RFC 9562, section 5.9), which is never given to anything.
  package static var ofNothing: Identifier { Identifier(high: 0, low: 0) }

  /// Reads a UUID of any version, in capitals or not (RFC 9562, section 4). One that this service cannot have written
  /// becomes `ofNothing`.
  ///
  /// Nil for any other text.
  package init?(anyUUID text: String) {
    guard let own = Identifier(text) else {
      let isUUID =
        text.utf8.count == 36
        && text.utf8.enumerated().allSatisfy { position, byte in
          [8, 13, 18, 23].contains(position) ? byte == UInt8(ascii: "-") : Self.isHexDigit(byte)
        }
      guard isUUID else { return nil }
      self = .ofNothing
      return
    }
    self = own
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
