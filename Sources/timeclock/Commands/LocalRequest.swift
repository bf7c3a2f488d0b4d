import Glibc
import SocketHTTPServer

/// One request of a command to a server on this machine, over a blocking socket that ends with the answer.
struct LocalRequest {
  /// The place of the server.
  enum Place {
    case address(host: String, port: UInt16)
    /// The path of a Unix-domain socket.
    case socket(path: String)
  }

  let place: Place
  /// The time to wait for the server at each step, in seconds.
  var timeout = 5

  /// Whether somebody listens; also if this user may not ask.
  var isReachable: Bool {
    guard let socket = try? connected() else { return errno == EACCES }
    close(socket)
    return true
  }

  /// Sends the request.
  ///
  /// - Returns: The status and the content of the answer.
  /// - Throws: `CommandError` if no server answers.
  func send(_ method: String, _ path: String, content: [UInt8] = []) throws -> (status: Int, content: [UInt8])
  {
    guard let answer = try sendIfReachable(method, path, content: content) else { throw noAnswer }
    return answer
  }

  /// Sends the request, if somebody listens.
  ///
  /// - Returns: The status and the content of the answer; nil if nobody listens, and so nothing was sent.
  /// - Throws: `CommandError` if there is no answer, and the outcome of the request is unknown.
  func sendIfReachable(
    _ method: String, _ path: String, content: [UInt8] = []
  ) throws -> (status: Int, content: [UInt8])? {
    guard let socket = try connected() else { return nil }
    defer { close(socket) }
    let head = """
      \(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(content.count)\r\n\r\n
      """
    try write(Array(head.utf8) + content, to: socket)
    let answer = try read(from: socket)
    let end = Array("\r\n\r\n".utf8)
    guard answer.starts(with: "HTTP/1.1 ".utf8), answer.count >= 12,
      let status = Int(String(decoding: answer[9..<12], as: UTF8.self)),
      let start = (0..<max(0, answer.count - 3)).first(where: { answer[$0..<$0 + 4].elementsEqual(end) })
    else { throw lostAnswer }
    return (status, Array(answer[(start + 4)...]))
  }

  private func write(_ bytes: [UInt8], to socket: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw lostAnswer }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns all bytes up to the end of the connection.
  private func read(from socket: Int32) throws -> [UInt8] {
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &piece, piece.count, 0)
      guard count >= 0 else { throw lostAnswer }
      if count == 0 { return answer }
      answer += piece[..<count]
    }
  }

  private var noAnswer: CommandError { CommandError("No server answers at \(placeText).") }

  private var lostAnswer: CommandError {
    CommandError("The server at \(placeText) did not answer: check whether it has carried out the request.")
  }

  private var placeText: String {
    switch place {
    case .address(let host, let port): "\(host):\(port)"
    case .socket(let path): path
    }
  }

  private func connected() throws -> Int32? {
    switch place {
    case .address(let host, let port): try connected(host: host, port: port)
    case .socket(let path): connected(path: path)
    }
  }

  private func connected(path: String) -> Int32? {
    guard var address = SocketAddress(unixPath: path) else { return nil }
    return address.withPointer { connected(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, $0, $1.pointee) }
  }

  private func connected(host: String, port: UInt16) throws -> Int32? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var addresses: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(Self.reachable(host), String(port), &hints, &addresses) == 0 else {
      throw CommandError("There is no address \(host).")
    }
    defer { freeaddrinfo(addresses) }
    var next = addresses
    while let address = next?.pointee {
      if let socket = connected(
        address.ai_family, address.ai_socktype, address.ai_protocol, address.ai_addr, address.ai_addrlen)
      {
        return socket
      }
      next = address.ai_next
    }
    return nil
  }

  /// The descriptor of a connected socket; nil if nobody listens.
  private func connected(
    _ family: Int32, _ type: Int32, _ transport: Int32, _ address: UnsafePointer<sockaddr>,
    _ length: socklen_t
  ) -> Int32? {
    let socket = Glibc.socket(family, type, transport)
    guard socket >= 0 else { return nil }
    var time = timeval(tv_sec: timeout, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    if connect(socket, address, length) == 0 { return socket }
    close(socket)
    return nil
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
