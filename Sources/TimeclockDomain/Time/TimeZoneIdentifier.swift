/// A text with the shape of an IANA time zone name, such as "Europe/Berlin"; whether the zone exists is for
/// `TimeZoneDatabase` to say.
///
/// The shape alone keeps a name inside the zone directory: it has no full stop, no empty part, no leading slash.
package struct TimeZoneIdentifier: Hashable, Sendable {
  /// The name, 1 to 64 ASCII bytes.
  package let name: String

  /// A name of letters, digits, `_`, `+` and `-` in parts divided by single slashes; nil for any other text.
  package init?(_ name: String) {
    var text = name
    guard text.withUTF8(Self.isWellFormed) else { return nil }
    self.name = name
  }

  private static func isWellFormed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= 64 else { return false }
    var isPartEmpty = true
    for byte in bytes {
      if byte == UInt8(ascii: "/") {
        if isPartEmpty { return false }
        isPartEmpty = true
      } else {
        guard isNameByte(byte) else { return false }
        isPartEmpty = false
      }
    }
    return !isPartEmpty
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
