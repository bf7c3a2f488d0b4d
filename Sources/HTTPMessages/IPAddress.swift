/// An IPv4 or IPv6 address.
///
/// An IPv6 address that stands for an IPv4 one (`::ffff:192.0.2.1`; RFC 4291, section 2.5.5.2) is that one, so that
/// a machine has one address, whichever form was sent.
///
/// inet_pton(3) could read the text, but needs a copy that ends in NUL, a call for each family, and the C library, which
/// this module does not import. The fuzz target `fields` compares the two for IPv6.
package struct IPAddress: Hashable, Sendable {
  /// The 128 bits of IPv6; those of an IPv4 address stand behind `::ffff:`.
  package let bits: UInt128

  /// The address with these 128 bits.
  package init(bits: UInt128) {
    self.bits = bits
  }

  /// Reads `192.0.2.1` or `2001:db8::1`, without a port, brackets or a zone; nil for anything else.
  package init?(_ text: String) {
    var text = text
    guard let address = text.withUTF8({ Self($0.span, from: 0, to: $0.count) }) else { return nil }
    self = address
  }

  /// Whether it is an IPv4 address.
  package var isIPv4: Bool { bits >> 32 == 0xFFFF }
}

extension IPAddress: CustomStringConvertible {
  /// The one form that an address has: decimal octets, or that of RFC 5952.
  package var description: String { isIPv4 ? ipv4Text : ipv6Text }

  private var ipv4Text: String {
    [24, 16, 8, 0].map { String(UInt8(truncatingIfNeeded: bits >> $0)) }.joined(separator: ".")
  }

  private var ipv6Text: String {
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> (112 - 16 * $0)) }
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard let zeros = Self.longestZeros(groups) else { return text(0..<8) }
    return "\(text(0..<zeros.lowerBound))::\(text(zeros.upperBound..<8))"
  }

  /// The groups that `::` stands for: the longest run of two or more, the first of those (RFC 5952, section 4.2).
  private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
    var longest = 0..<1
    var start = 0
    for end in 1...groups.count {
      if groups[end - 1] != 0 {
        start = end
      } else if end - start > longest.count {
        longest = start..<end
      }
    }
    return longest.count > 1 ? longest : nil
  }
}
