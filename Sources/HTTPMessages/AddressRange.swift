/// Addresses with the same first bits: `10.0.0.0/8`, `2001:db8::/32` (RFC 4632, section 3.1), or a single one.
///
/// Neither Foundation nor the C library has ranges of addresses.
package struct AddressRange: Hashable, Sendable {
  private let first: IPAddress
  private let mask: UInt128

  /// The reason why text is not a range.
  package enum Fault: Error, Hashable {
    /// The text is not an address, or the part after the slash is not the length of a prefix.
    case malformed
    /// Bits after the prefix are set, so that neither an address nor the whole range can be meant.
    case bitsBehindPrefix
    /// The prefix is empty, so that it is every address.
    case everyAddress
  }

  /// Reads an address, or an address, a slash and the length of a prefix in bits.
  package init(_ text: String) throws(Fault) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { throw .malformed }
    // The prefix of an IPv4 range counts from behind `::ffff:`, unless that was written.
    let width = address.isIPv4 && !text.utf8.contains(ASCII.colon) ? 32 : 128
    let length = parts.count == 2 ? Self.length(parts[1].utf8) : width
    guard let length, length <= width else { throw .malformed }
    guard length > 0 else { throw .everyAddress }
    mask = UInt128.max << (width - length)
    guard address.bits & ~mask == 0 else { throw .bitsBehindPrefix }
    first = address
  }

  /// Whether the address is in the range.
  package func contains(_ address: IPAddress) -> Bool {
    address.bits & mask == first.bits
  }

  /// One to three digits.
  private static func length(_ digits: Substring.UTF8View) -> Int? {
    guard (1...3).contains(digits.count) else { return nil }
    var length = 0
    for byte in digits {
      guard let digit = ASCII.digit(byte) else { return nil }
      length = length * 10 + digit
    }
    return length
  }
}
