import Glibc

/// The origin of a request, as attempts to log in are counted: one IPv4 address, or the 64 bits of an IPv6 address that
/// distinguish customers' networks (RFC 6177); within them anybody can take as many addresses as they like.
package struct ClientNetwork: Hashable, Sendable {
  /// `203.0.113.7`, `2001:db8:0:1::/64`; `unknown` if the address is.
  package let text: String

  /// The network of an address as text; an IPv4 address within IPv6 (RFC 4291, section 2.5.5.2) is that address.
  ///
  /// - Parameter address: Anything else than an IP address counts as unknown; an IPv6 zone after `%` is left out.
  package init(address: String?) {
    let literal = address?.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).first.map(
      String.init)
    text = literal.flatMap { Self.ipv4($0) ?? Self.ipv6($0) } ?? "unknown"
  }

  private static func ipv4(_ text: String) -> String? {
    var address = in_addr()
    guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
    return withUnsafeBytes(of: address) { decimal($0[...]) }
  }

  private static func ipv6(_ text: String) -> String? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    return withUnsafeBytes(of: address) { bytes in
      if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
        return decimal(bytes[12...])
      }
      let groups = (0..<4).map { group -> String in
        let (high, low) = (UInt16(bytes[2 * group]), UInt16(bytes[2 * group + 1]))
        return String(high << 8 | low, radix: 16)
      }
      return groups.joined(separator: ":") + "::/64"
    }
  }

  private static func decimal(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    bytes.map { String($0) }.joined(separator: ".")
  }
}
