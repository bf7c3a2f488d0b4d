import ArgumentParser
import Glibc

/// `timeclock check-health`: asks a running server whether it can serve; for timers and containers.
struct CheckHealth: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ask a running server whether it is ready. Exits with 0 when it is, 1 when it is not.")

  @OptionGroup var listen: ListenOptions

  func run() throws {
    let host = try listen.resolvedHost()
    let port = try listen.resolvedPort()
    let status = try HealthRequest(host: host, port: port).status()
    guard status == 200 else {
      throw CommandError("The server at \(host):\(port) is not ready (status \(status)).")
    }
    print("ready")
  }
}

/// Sends one `GET /health/ready` over a blocking socket.
private struct HealthRequest {
  let host: String
  let port: UInt16

  /// The time to wait for the server, in seconds.
  private static let timeout = 5

  /// Returns the status of the answer.
  ///
  /// - Throws: `CommandError` if the server does not answer.
  func status() throws -> Int {
    let socket = try connected()
    defer { close(socket) }
    let request = Array("GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
    guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      throw noAnswer
    }
    var answer = [UInt8](repeating: 0, count: 12)
    var count = 0
    while count < answer.count {
      let received = answer.withUnsafeMutableBytes { buffer in
        recv(socket, buffer.baseAddress?.advanced(by: count), buffer.count - count, 0)
      }
      guard received > 0 else { throw noAnswer }
      count += received
    }
    guard answer.starts(with: "HTTP/1.1 ".utf8),
      let status = Int(String(decoding: answer[9...], as: UTF8.self))
    else { throw noAnswer }
    return status
  }

  private var noAnswer: CommandError {
    CommandError("No server answers at \(host):\(port).")
  }

  private func connected() throws -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var addresses: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(Self.reachable(host), String(port), &hints, &addresses) == 0 else {
      throw CommandError("There is no address \(host).")
    }
    defer { freeaddrinfo(addresses) }
    var next = addresses
    while let address = next?.pointee {
      let socket = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
      if socket >= 0 {
        var timeout = timeval(tv_sec: Self.timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
        if connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return socket }
        close(socket)
      }
      next = address.ai_next
    }
    throw noAnswer
  }

  /// Returns the address to ask: a server that listens on every address is asked on a loopback address.
  private static func reachable(_ host: String) -> String {
    switch host {
    case "0.0.0.0": "127.0.0.1"
    case "::": "::1"
    default: host
    }
  }
}
