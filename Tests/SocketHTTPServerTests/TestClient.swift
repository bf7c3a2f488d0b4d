import Dispatch
import Glibc

/// A blocking socket with which tests send and read literal bytes; gives up after two minutes.
///
/// It blocks its own queue, so that the tests leave the threads of the tasks free.
actor TestClient {
  struct Failure: Error {
    let code: Int32
  }

  private let queue = QueueExecutor()
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// - Parameter host: The client's address, of 127.0.0.0/8, which all belong to this machine.
  init(port: UInt16, from host: UInt32? = nil, receiveBufferByteCount: Int32? = nil) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Failure(code: errno) }
    if var size = receiveBufferByteCount {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var timeout = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var noDelay: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
    if let host { Self.withAddress(host, port: 0) { _ = bind(socket, $0, $1) } }
    guard Self.withAddress(0x7F00_0001, port: port, { connect(socket, $0, $1) }) == 0 else {
      let code = errno
      Glibc.close(socket)
      throw Failure(code: code)
    }
    descriptor = socket
  }

  /// Connects to a Unix-domain socket.
  init(socketPath: String) throws {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Failure(code: errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8.prefix($0.count - 1)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      Glibc.close(socket)
      throw Failure(code: code)
    }
    descriptor = socket
  }

  private static func withAddress<Result>(
    _ host: UInt32, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Closes with a reset.
  func reset() {
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func halfClose() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  func send(_ text: String) throws {
    try send(Array(text.utf8))
  }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns all bytes up to the end of the connection of any kind, with those that were read but not used.
  func readToEnd() -> String {
    while (try? fill()) == true {}
    defer { buffer = [] }
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Reads up to the end of the connection; true if that is a reset, which shows that bytes are missing.
  func readsUpToReset() -> Bool {
    do {
      while try fill() {}
      return false
    } catch {
      return true
    }
  }

  /// Whether bytes or the end of the connection can be read.
  var hasInput: Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0
  }

  /// Whether the server closes the connection in order without sending more.
  func isClosed() throws -> Bool {
    try buffer.isEmpty && !fill()
  }

  /// Returns all bytes up to and including `text`.
  func read(until text: String) throws -> String {
    let wanted = Array(text.utf8)
    var start = 0
    while true {
      if let end = Self.end(of: wanted, in: buffer, from: start) {
        defer { buffer.removeFirst(end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      start = max(0, buffer.count - wanted.count)
      guard try fill() else { throw Failure(code: 0) }
    }
  }

  func read(count: Int) throws -> [UInt8] {
    while buffer.count < count {
      guard try fill() else { throw Failure(code: 0) }
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  /// Reads the bytes that have arrived; false at the end.
  private func fill() throws -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count >= 0 else { throw Failure(code: errno) }
    buffer.append(contentsOf: piece[..<count])
    return count > 0
  }

  private static func end(of wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= start + wanted.count else { return nil }
    for index in start...(bytes.count - wanted.count)
    where bytes[index] == wanted[0] && bytes[index..<index + wanted.count].elementsEqual(wanted) {
      return index + wanted.count
    }
    return nil
  }
}

/// A response as a client sees it.
struct TestResponse: Sendable {
  let status: Int
  let head: String
  let body: String

  func contains(_ field: String) -> Bool { head.contains("\r\n\(field)\r\n") }
}

extension TestClient {
  /// Reads one response, whose content is framed by its length or by chunks.
  func readResponse(toHead: Bool = false) throws -> TestResponse {
    let head = try read(until: "\r\n\r\n")
    let status = Int(head.split(separator: " ")[1]) ?? 0
    var body = ""
    if !toHead, let range = head.firstRange(of: "Content-Length: ") {
      let length = Int(head[range.upperBound...].prefix { $0.isNumber }) ?? 0
      body = String(decoding: try read(count: length), as: UTF8.self)
    } else if !toHead, head.contains("Transfer-Encoding: chunked") {
      body = String(decoding: try readChunks(), as: UTF8.self)
    }
    return TestResponse(status: status, head: head, body: body)
  }

  func readChunks() throws -> [UInt8] {
    var content: [UInt8] = []
    while true {
      let line = try read(until: "\r\n").dropLast()
      let size = Int(line, radix: 16) ?? -1
      guard size >= 0 else { throw Failure(code: -1) }
      content += try read(count: size)
      _ = try read(count: 2)
      if size == 0 { return content }
    }
  }

  /// Sends a GET and reads its response.
  func get(_ path: String) throws -> TestResponse {
    try send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    return try readResponse()
  }
}

extension TestClient {
  /// Returns the bytes that have arrived so far, nil if none have; does not wait.
  func readToEndIfReady() -> String? {
    hasInput ? readToEnd() : nil
  }
}

/// Returns the response to a GET on a separate connection.
func fetch(_ path: String, from port: UInt16) async throws -> TestResponse {
  try await TestClient(port: port).get(path)
}

/// Runs an actor on a dispatch queue, whose thread may be blocked.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "test client")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
