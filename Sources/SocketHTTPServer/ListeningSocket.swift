import CLinux
import Glibc

/// The sockets that event loops accept from, one each, on one port.
///
/// The first is bound and listens *without* SO_REUSEPORT. The system refuses that if anything else listens on the port,
/// be it another instance of this program. Only then the option is set on the first socket, and the others, which have
/// it from the start, may join. A later instance's first socket is refused again.
enum ListeningSocket {
  /// Opens `count` sockets that share one port.
  ///
  /// - Returns: Their descriptors, which the caller owns, and the port.
  static func open(
    host: String, port: UInt16, count: Int
  ) throws(HTTPServerError) -> (descriptors: [Int32], port: UInt16) {
    guard let address = SocketAddress(host: host, port: port) else { throw .invalidHost(host) }
    let first = try open(address, host: host, joinsOthers: false)
    var descriptors = [first]
    do throws(HTTPServerError) {
      let boundPort = try boundPort(of: first)
      if count > 1 {
        try setOption(first, SOL_SOCKET, SO_REUSEPORT)
        guard let shared = SocketAddress(host: host, port: boundPort) else { throw .invalidHost(host) }
        for _ in 1..<count { descriptors.append(try open(shared, host: host, joinsOthers: true)) }
      }
      return (descriptors, boundPort)
    } catch {
      close(descriptors)
      throw error
    }
  }

  static func close(_ descriptors: [Int32]) {
    for descriptor in descriptors { Glibc.close(descriptor) }
  }

  private static func open(
    _ address: SocketAddress, host: String, joinsOthers: Bool
  ) throws(HTTPServerError) -> Int32 {
    var address = address
    let descriptor = linux_nonblocking_stream_socket(address.family)
    guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
    do throws(HTTPServerError) {
      try setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
      if joinsOthers { try setOption(descriptor, SOL_SOCKET, SO_REUSEPORT) }
      if address.family == AF_INET6 { try setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
      guard address.withPointer({ bind(descriptor, $0, $1.pointee) }) == 0,
        listen(descriptor, backlog) == 0
      else { throw bindError(errno, host: host, port: address.port) }
      return descriptor
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  private static func bindError(_ code: Int32, host: String, port: UInt16) -> HTTPServerError {
    switch code {
    case EADDRINUSE: .portInUse(host: host, port: port)
    case EACCES: .portNotPermitted(host: host, port: port)
    case EADDRNOTAVAIL: .addressNotAvailable(host: host)
    default: .system(call: "bind", code: code)
    }
  }

  private static func boundPort(of descriptor: Int32) throws(HTTPServerError) -> UInt16 {
    var address = SocketAddress()
    guard address.withPointer({ getsockname(descriptor, $0, $1) }) == 0 else {
      throw .system(call: "getsockname", code: errno)
    }
    return address.port
  }

  private static func setOption(
    _ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32 = 1
  ) throws(HTTPServerError) {
    guard Socket.setOption(descriptor, level, name, value) else {
      throw .system(call: "setsockopt", code: errno)
    }
  }

  /// The number of connections that the system completes before they are accepted, at most `net.core.somaxconn`.
  static let backlog: Int32 = 1024
}
