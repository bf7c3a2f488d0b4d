import CLinux
import Glibc

/// The addresses whose connections are counted together: one IPv4 address, or a /64 of IPv6, in which a single machine
/// can have any number of addresses (RFC 8981).
enum AddressBlock: Hashable {
  /// In network byte order.
  case ipv4(UInt32)
  /// The first eight bytes of the address, in network byte order.
  case ipv6(UInt64)
}

extension SocketAddress {
  /// Finds the block that the address belongs to; nil for a family that has no addresses.
  ///
  /// An IPv4 address in its mapped form (RFC 4291, section 2.5.5.2) is an IPv4 address.
  var block: AddressBlock? {
    // The storage is large enough and aligned for every address family's structure.
    withUnsafePointer(to: storage) { pointer in
      switch family {
      case AF_INET:
        pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { .ipv4($0.pointee.sin_addr.s_addr) }
      case AF_INET6:
        pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          withUnsafeBytes(of: $0.pointee.sin6_addr, Self.blockOfIPv6)
        }
      default: nil
      }
    }
  }

  /// The block of an IPv6 address, whose bytes are sixteen.
  private static func blockOfIPv6(_ bytes: UnsafeRawBufferPointer) -> AddressBlock {
    let first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
    let mark = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    guard first == 0, UInt32(bigEndian: mark) == 0xFFFF else { return .ipv6(first) }
    return .ipv4(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
  }
}
