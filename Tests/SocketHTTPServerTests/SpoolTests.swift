import Glibc
import HTTPMessages
import Testing

@testable import SocketHTTPServer

@Suite("Long content is in a file")
struct SpoolTests {
  /// The most content of every request in these tests, and of a request to `/files`.
  static let ordinary = 8_192
  static let longest = 200_000

  @Test("Only content that is longer than every request's may be is in a file", arguments: [false, true])
  func boundary(_ isChunked: Bool) async throws {
    try await withFolder { folder in
      try await withSpools(in: folder) { port, _ in
        let cases = [
          (1, "memory"), (Self.ordinary, "memory"), (Self.ordinary + 1, "file"), (Self.longest - 1, "file"),
          (Self.longest, "file"),
        ]
        let client = try TestClient(port: port)
        for (length, place) in cases {
          try await client.send(request(content(length), isChunked: isChunked))
          #expect(try await client.readResponse().body == "\(place) \(length) \(sum(content(length)))")
        }
        try await client.send(request(content(Self.longest + 1), isChunked: isChunked))
        #expect(try await client.readResponse().status == 413)
      }
      #expect(names(in: folder).isEmpty)
    }
  }

  @Test(
    "The content is the same however it is cut, and requests behind it are served", arguments: [false, true])
  func cuts(_ isChunked: Bool) async throws {
    let bytes = content(100_003)
    let wire = request(bytes, isChunked: isChunked)
    try await withFolder { folder in
      try await withSpools(in: folder) { port, _ in
        for size in [1_000, 8_191, 65_536, wire.count] {
          let client = try TestClient(port: port)
          for start in stride(from: 0, to: wire.count, by: size) {
            try await client.send(Array(wire[start..<min(start + size, wire.count)]))
          }
          #expect(try await client.readResponse().body == "file 100003 \(sum(bytes))")
          try await client.send(wire + request(content(5), isChunked: isChunked) + wire)
          #expect(try await client.readResponse().body == "file 100003 \(sum(bytes))")
          #expect(try await client.readResponse().body == "memory 5 \(sum(content(5)))")
          #expect(try await client.readResponse().body == "file 100003 \(sum(bytes))")
        }
      }
    }
  }

  @Test(
    "A file counts until its request is answered or its connection ends, in any way",
    arguments: Ending.allCases)
  func endings(_ ending: Ending) async throws {
    try await withFolder { folder in
      try await withSpools(in: folder) {
        $0.spoolLimit = 1
        $0.spoolPatience = .seconds(600)
        if case .timeout = ending { $0.timeouts.body = .milliseconds(300) }
      } _: { port, _ in
        for _ in 0..<3 { try await end(ending, try await holder(port)) }
        #expect(try await comesToTake(content(Self.longest), port))
        // No file is given back twice either. A holder that is timed out may be gone before the next one comes.
        if case .timeout = ending { return }
        let last = try await holder(port)
        #expect(try await status(of: content(Self.longest), port) == 503)
        await last.close()
      }
    }
  }

  /// The ways in which a connection with long content on its way ends.
  enum Ending: CaseIterable {
    case close, halfClose, reset, timeout, malformedChunk, answer, handledReset
  }

  private func end(_ ending: Ending, _ client: TestClient) async throws {
    switch ending {
    case .close: await client.close()
    case .halfClose:
      await client.halfClose()
      #expect(try await client.isClosed())
    case .reset: await client.reset()
    case .timeout: #expect(try await client.readResponse().status == 408)
    case .malformedChunk:
      try await client.send("x\r\n")
      #expect(try await client.readResponse().status == 400)
    case .answer:
      try await client.send("0\r\n\r\n")
      #expect(try await client.readResponse().status == 200)
    case .handledReset:
      try await client.send("0\r\n\r\n")
      await client.reset()
    }
  }

  @Test("A newcomer gets the file of the slowest peer, and that one is asked to come again")
  func slowest() async throws {
    try await withFolder { folder in
      try await withSpools(in: folder) {
        $0.spoolLimit = 2
        $0.spoolPatience = .milliseconds(200)
      } _: { port, _ in
        let first = try await holder(port)
        try await Task.sleep(for: .milliseconds(50))
        let second = try await holder(port)
        try await Task.sleep(for: .milliseconds(400))
        #expect(try await status(of: content(Self.longest), port) == 200)
        let answer = try await first.readResponse()
        #expect(answer.status == 503 && answer.contains("Retry-After: 1"))
        #expect(try await first.isClosed())
        // The other peer was not in the way.
        try await second.send("0\r\n\r\n")
        #expect(try await second.readResponse().status == 200)
      }
    }
  }

  @Test("A peer that is not slow keeps its file, and a newcomer is asked to come again")
  func full() async throws {
    let gate = Gate()
    try await withFolder { folder in
      try await withSpools(in: folder, opening: gate) {
        $0.spoolLimit = 2
        $0.spoolPatience = .seconds(600)
      } _: { port, handler in
        let arriving = try await holder(port)
        let waiting = try TestClient(port: port)
        let before = handler.requestCount
        try await waiting.send(request(content(Self.longest), path: "/files?wait"))
        #expect(try await eventually { handler.requestCount == before + 1 })
        #expect(try await status(of: content(Self.ordinary + 1), port) == 503)
        #expect(try await status(of: content(Self.ordinary), port) == 200)
        gate.open()
        #expect(try await waiting.readResponse().status == 200)
        #expect(try await comesToTake(content(Self.longest), port))
        try await arriving.send("0\r\n\r\n")
        #expect(try await arriving.readResponse().status == 200)
      }
    }
  }

  @Test("If no file can be made, long content is refused with the cause, and other content is served")
  func noFolder() async throws {
    try await withSpools(in: "/nonexistent/folder") { port, handler in
      let refused = try await status(of: content(Self.ordinary + 1), port)
      #expect(refused == 503)
      #expect(handler.causes == ["open /nonexistent/folder: No such file or directory"])
      #expect(try await status(of: content(Self.ordinary), port) == 200)
    }
    var configuration = HTTPServerConfiguration()
    #expect(configuration.spoolFault == nil)
    configuration.spoolFolder = "/nonexistent/folder"
    #expect(configuration.spoolFault == "open /nonexistent/folder: No such file or directory")
  }

  @Test("A file has no name, and what was written to it is read", arguments: [false, true])
  func file(_ isNamedAtFirst: Bool) async throws {
    try await withFolder { folder in
      do {
        let file = try ContentFile(in: folder, isNamedAtFirst: isNamedAtFirst)
        #expect(names(in: folder).isEmpty)
        #expect(try file.read(from: 0, byteCount: 10) == [])
        for piece in [content(70_000), [], content(3)] { try file.append(piece) }
        #expect(file.byteCount == 70_003)
        let expected = content(70_000) + content(3)
        #expect(try file.read(from: 0, byteCount: 100_000) == expected)
        #expect(try file.read(from: 69_999, byteCount: 2) == Array(expected[69_999...70_000]))
        #expect(try file.read(from: 70_003, byteCount: 1) == [])
        #expect(try file.read(from: -1, byteCount: 1) == [])
      }
      #expect(names(in: folder).isEmpty)
    }
  }

  @Test("A peer earns time by what it sends, up to the patience")
  func progress() {
    let second: Int64 = 1_000_000_000
    var progress = UploadProgress(at: 0, patience: 2 * second)
    #expect(progress.end == 2 * second)
    // Sent at once, it earns no more than a silent peer has.
    progress.note(byteCount: 16 * 1024 * 1024, at: second)
    #expect(progress.end == 3 * second)
    // 65,536 bytes earn a second.
    progress.note(byteCount: 65_536, at: 3 * second)
    #expect(abs(progress.end - 4 * second) < 65_536)
    // A slow peer that sends a little is slow again soon.
    progress.note(byteCount: 1, at: 100 * second)
    #expect(progress.end > 100 * second && progress.end < 100 * second + 20_000)
  }
}

/// Returns content without repetitions of a short length.
private func content(_ length: Int) -> [UInt8] {
  (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

/// Returns a sum in which every byte and its place count.
private func sum(_ bytes: [UInt8]) -> UInt64 {
  bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
}

/// Returns a request with this content, in chunks of 3,000 bytes if it is chunked.
private func request(_ content: [UInt8], isChunked: Bool = false, path: String = "/files") -> [UInt8] {
  let head = "POST \(path) HTTP/1.1\r\nHost: a\r\n"
  guard isChunked else { return Array("\(head)Content-Length: \(content.count)\r\n\r\n".utf8) + content }
  var bytes = Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8)
  for start in stride(from: 0, to: content.count, by: 3_000) {
    let piece = content[start..<min(start + 3_000, content.count)]
    bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
  }
  return bytes + Array("0\r\n\r\n".utf8)
}

/// Returns a connection whose long content has begun to arrive in a file; its last chunk is to come.
private func holder(_ port: UInt16) async throws -> TestClient {
  for _ in 0..<2_000 {
    let client = try TestClient(port: port)
    try await client.send(
      "POST /files HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(String(SpoolTests.ordinary + 1, radix: 16))\r\n"
    )
    try await client.send(content(SpoolTests.ordinary + 1) + Array("\r\n".utf8))
    // Another request is answered once the server has read that.
    _ = try await fetch("/", from: port)
    if !(await client.hasInput) { return client }
    try await Task.sleep(for: .milliseconds(5))
  }
  throw TestClient.Failure(code: 0)
}

/// Returns the status of a request to `/files` on a separate connection.
private func status(of content: [UInt8], _ port: UInt16) async throws -> Int {
  let client = try TestClient(port: port)
  try await client.send(request(content))
  return try await client.readResponse().status
}

/// Whether the server takes the content, once it has noticed the changes of other connections.
private func comesToTake(_ content: [UInt8], _ port: UInt16) async throws -> Bool {
  for _ in 0..<2_000 {
    if try await status(of: content, port) == 200 { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return false
}

/// Runs `body` against a server with one loop, which answers with the place, the length and the sum of the content.
///
/// - Parameter gate: The gate that requests with the query `wait` wait for.
private func withSpools(
  in folder: String, opening gate: Gate? = nil, configure: (inout HTTPServerConfiguration) -> Void = { _ in },
  _ body: (_ port: UInt16, _ handler: TestHandler) async throws -> Void
) async throws {
  try await withServer(
    configure: { configuration in
      configuration.eventLoopCount = 1
      configuration.limits.bodyByteCount = SpoolTests.ordinary
      configuration.limits.longBodyByteCount = SpoolTests.longest
      configuration.limits.longBodies = [LongBodyTarget(.post, "/files")]
      configuration.spoolFolder = folder
      configure(&configuration)
    },
    handler: { request in
      if request.query == "wait" { await gate?.wait() }
      var bytes: [UInt8] = []
      do {
        try request.content.forEachPart { bytes += $0 }
      } catch {
        return HTTPResponse(status: .internalServerError)
      }
      let place = request.bodyFile == nil ? "memory" : request.body.isEmpty ? "file" : "both"
      return text("\(place) \(bytes.count) \(sum(bytes))")
    }
  ) { port, handler, _ in try await body(port, handler) }
}

/// Runs `body` with an empty folder, and removes it.
private func withFolder(_ body: (String) async throws -> Void) async throws {
  var template = Array("/tmp/timeclock-spools-XXXXXX".utf8CString)
  let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
  let folder = try #require(made.map { String(cString: $0) })
  defer { rmdir(folder) }
  try await body(folder)
}

/// Returns the names in a folder.
private func names(in folder: String) -> [String] {
  guard let directory = opendir(folder) else { return ["no folder"] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    names.append(
      withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      })
  }
  return names.filter { $0 != "." && $0 != ".." }
}
