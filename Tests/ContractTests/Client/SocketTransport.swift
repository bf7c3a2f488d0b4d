import Dispatch
import Glibc

/// Sends each request over a separate TCP connection to 127.0.0.1.
///
/// Shares no code with the service, so that a fault in the service's own parser or writer cannot hide.
struct SocketTransport: Transport {
  let port: UInt16

  /// Seconds after which a silent server is given up.
  static let timeout = 20

  func send(bytes: [UInt8], isHead: Bool) async throws -> WireResponse {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try exchange(bytes, isHead: isHead) })
      }
    }
  }

  /// A fault of the connection.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private func exchange(_ bytes: [UInt8], isHead: Bool) throws -> WireResponse {
    let descriptor = try connect()
    defer { close(descriptor) }
    // A server that refuses a request may stop reading before all of it is sent; its answer counts.
    sendAll(bytes, to: descriptor)
    return try ResponseParser.parse(receiveAll(from: descriptor), hasContent: !isHead)
  }

  private func connect() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(description: "socket: \(errno)") }
    var limit = timeval(tv_sec: Self.timeout, tv_usec: 0)
    let limitSize = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, limitSize)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, limitSize)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw Failure(description: "connect: \(code)")
    }
    return descriptor
  }

  private func sendAll(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = Glibc.send(
          descriptor, buffer.baseAddress! + sent, buffer.count - sent, Int32(MSG_NOSIGNAL))
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        sent += count
      }
    }
  }

  private func receiveAll(from descriptor: Int32) throws -> [UInt8] {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Failure(description: "recv: \(errno) after \(received.count) bytes") }
      if count == 0 { return received }
      received += buffer[..<count]
    }
  }
}
