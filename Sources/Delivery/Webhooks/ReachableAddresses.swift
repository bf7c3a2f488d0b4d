import Glibc
import HTTPMessages

/// The addresses to which messages may be sent: those of the Internet, and others that the operator allows.
///
/// An address of a webhook is somebody's text, and behind it may be a machine that only this one reaches.
struct ReachableAddresses: Sendable {
  private let allowed: [AddressRange]

  init(allowing allowed: [AddressRange]) {
    self.allowed = allowed
  }

  /// Whether to connect to the address.
  func contain(_ address: IPAddress) -> Bool {
    if allowed.contains(where: { $0.contains(address) }) { return true }
    if address.isIPv4 { return !Self.specialIPv4.contains { $0.contains(address) } }
    return Self.globalIPv6.contains { $0.contains(address) }
      && !Self.specialIPv6.contains { $0.contains(address) }
  }

  /// The address that is refused though no name has to be looked up for it: one that is written out, in any spelling that
  /// inet_aton(3) and libcurl read, or `localhost` (RFC 6761, section 6.3). Nil for any other host.
  ///
  /// - Parameter host: In lower case, without brackets.
  func refused(_ host: String) -> IPAddress? {
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    let texts = name == "localhost" || name.hasSuffix(".localhost") ? ["127.0.0.1", "::1"] : [name]
    let addresses = texts.compactMap { IPAddress(literal: $0) }
    return addresses.contains(where: contain) ? nil : addresses.first
  }

  /// Whether the name stands for no machine of the Internet (RFC 2606, RFC 6761), so that it is not looked up.
  static func isReserved(_ name: String) -> Bool {
    let name = name.hasSuffix(".") ? String(name.dropLast()) : name
    return ["example", "invalid", "test", "example.com", "example.net", "example.org"].contains {
      name == $0 || name.hasSuffix("." + $0)
    }
  }

  /// The registry of special-purpose addresses (iana.org/assignments/iana-ipv4-special-registry), and multicast.
  private static let specialIPv4 = ranges(
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24",
    // The machine below a virtual one, on Azure.
    "168.63.129.16/32",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4")

  /// Everything that is given out (iana.org/assignments/ipv6-address-space); the rest is loopback, links, networks of
  /// their own, multicast, and IPv4 in other clothes.
  private static let globalIPv6 = ranges("2000::/3")

  /// The registry of special-purpose addresses (iana.org/assignments/iana-ipv6-special-registry) within that: Teredo, 6to4
  /// and documentation.
  private static let specialIPv6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

  private static func ranges(_ texts: String...) -> [AddressRange] {
    texts.map { text in
      guard let range = try? AddressRange(text) else { preconditionFailure("\(text) is no range") }
      return range
    }
  }
}

extension IPAddress {
  /// Reads an address in one of the spellings in which a URL may have it: `127.0.0.1`, `127.1`, `0x7f000001`, `::1`.
  fileprivate init?(literal text: String) {
    var address = in_addr()
    if inet_aton(text, &address) != 0 {
      self.init(bits: 0xFFFF_0000_0000 | UInt128(UInt32(bigEndian: address.s_addr)))
    } else {
      self.init(text)
    }
  }

  /// The address of a socket; nil for one of another family.
  init?(_ address: UnsafePointer<sockaddr>) {
    let bytes = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let word = bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
      self.init(bits: 0xFFFF_0000_0000 | UInt128(UInt32(bigEndian: word)))
    case AF_INET6:
      let address = bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      self.init(bits: withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
    default: return nil
    }
  }
}
