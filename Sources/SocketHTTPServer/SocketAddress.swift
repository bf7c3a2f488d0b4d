import CLinux
import Glibc

/// An IP address and a port, or the path of a Unix-domain socket, in the form of the system calls.
package struct SocketAddress {
  private(set) var storage = sockaddr_storage()
  private(set) var length: socklen_t = 0

  /// Makes an empty address, for the system to fill in.
  init() {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
  }

  /// Makes the address of an IPv4 or IPv6 literal or of `localhost`; nil for anything else.
  init?(host: String, port: UInt16) {
    let literal = host == "localhost" ? "127.0.0.1" : host
    if let address = Self.ipv4(literal, port: port) {
      self = address
    } else if let address = Self.ipv6(literal, port: port) {
      self = address
    } else {
      return nil
    }
  }

  /// Makes the address of a Unix-domain socket; nil for a path that is empty, longer than `sun_path` (unix(7)), or has a
  /// NUL.
  package init?(unixPath path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { target in
      guard !path.isEmpty, path.utf8.count < target.count, !path.utf8.contains(0) else { return false }
      target.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { return nil }
    self.init(copying: address)
  }

  /// AF_INET, AF_INET6 or AF_UNIX.
  var family: Int32 { Int32(storage.ss_family) }

  /// The port in the machine's byte order.
  var port: UInt16 {
    var storage = storage
    // The storage is large enough and aligned for every address family's structure.
    return withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }

  /// The address as text, without the port; nil for a family without addresses. A peer on a Unix-domain socket is on
  /// this machine, as one on 127.0.0.1 is.
  var host: String? {
    if family == AF_UNIX { return "127.0.0.1" }
    var address = self
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = address.withPointer { pointer, length in
      getnameinfo(pointer, length.pointee, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    }
    guard code == 0 else { return nil }
    let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // A socket for both families shows IPv4 peers as mapped addresses.
    return host.hasPrefix("::ffff:") && host.utf8.contains(0x2E) ? String(host.dropFirst(7)) : host
  }

  /// Calls `body` with the address in the form that system calls take, which may change it.
  package mutating func withPointer<Result>(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> Result {
    // Every address structure begins like sockaddr, and the storage is aligned for all of them.
    withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        withUnsafeMutablePointer(to: &length) { body(address, $0) }
      }
    }
  }

  private static func ipv4(_ literal: String, port: UInt16) -> SocketAddress? {
    var address = sockaddr_in()
    guard inet_pton(AF_INET, literal, &address.sin_addr) == 1 else { return nil }
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    return SocketAddress(copying: address)
  }

  private static func ipv6(_ literal: String, port: UInt16) -> SocketAddress? {
    var address = sockaddr_in6()
    guard inet_pton(AF_INET6, literal, &address.sin6_addr) == 1 else { return nil }
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    return SocketAddress(copying: address)
  }

  private init<Address>(copying address: Address) {
    // The type is one of the three structures above; sockaddr_storage can hold either.
    withUnsafeBytes(of: address) { source in
      withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: source) }
    }
    length = socklen_t(MemoryLayout<Address>.size)
  }
}
