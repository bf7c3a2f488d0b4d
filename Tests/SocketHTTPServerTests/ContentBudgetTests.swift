import HTTPMessages
import SocketHTTPServer
import Testing

@Suite("The content that an event loop holds")
struct ContentBudgetTests {
  /// The budget in these tests.
  static let limit = 64 * 1024
  /// The longest content that is served while no other content counts.
  static let longest = limit + HTTPServerConfiguration.uncountedContentByteCount

  @Test("A request beyond the budget is asked to come again, and its connection closes")
  func bound() async throws {
    try await withSmallBudget { port in
      let holder = try TestClient(port: port)
      try await holder.send(head(Self.longest) + content(Self.longest - 1))
      // One byte of the budget is left, and this content needs two.
      let refusal = try await refusal(HTTPServerConfiguration.uncountedContentByteCount + 2, port)
      #expect(refusal.status == 503 && refusal.body == "unavailable")
      #expect(refusal.contains("Retry-After: 1") && refusal.contains("Connection: close"))
      #expect(try await post(HTTPServerConfiguration.uncountedContentByteCount + 1, to: port) == 200)
      try await holder.send(content(1))
      #expect(try await holder.readResponse().body == "\(Self.longest)")
    }
  }

  @Test("Requests without content and short ones are outside the budget")
  func shortRequests() async throws {
    try await withSmallBudget { port in
      let holder = try TestClient(port: port)
      try await holder.send(head(Self.longest) + content(Self.longest - 1))
      _ = try await refusal(HTTPServerConfiguration.uncountedContentByteCount + 2, port)
      let other = try TestClient(port: port)
      for length in [0, 1, HTTPServerConfiguration.uncountedContentByteCount] {
        #expect(try await other.get("/").status == 200)
        try await other.send(head(length) + content(length))
        #expect(try await other.readResponse().body == "\(length)")
      }
    }
  }

  @Test("Each byte counts once, however the content is cut, framed and refused", arguments: [false, true])
  func exactCount(_ isChunked: Bool) async throws {
    try await withSmallBudget { port in
      for (length, status) in [(Self.longest, 200), (Self.longest + 1, 503), (Self.longest, 200)] {
        let client = try TestClient(port: port)
        try await client.send(isChunked ? chunkedHead : head(length))
        for start in stride(from: 0, to: length, by: 10_000) {
          let piece = content(min(10_000, length - start))
          try await client.send(isChunked ? "\(String(piece.count, radix: 16))\r\n\(piece)\r\n" : piece)
        }
        if isChunked { try await client.send("0\r\n\r\n") }
        #expect(try await client.readResponse().status == status)
      }
    }
  }

  @Test("Content that may be long needs none of the budget")
  func longBodies() async throws {
    try await withSmallBudget {
      $0.limits.longBodies = [LongBodyTarget(.post, "/files")]
    } _: { port in
      let holder = try TestClient(port: port)
      try await holder.send(head(Self.longest) + content(Self.longest - 1))
      _ = try await refusal(HTTPServerConfiguration.uncountedContentByteCount + 2, port)
      // Shorter than most content may be, and longer.
      for length in [Self.longest, 300_000] {
        for cut in [1, length - 1] {
          let client = try TestClient(port: port)
          try await client.send(head(length, path: "/files") + content(cut))
          try await client.send(content(length - cut))
          #expect(try await client.readResponse().body == "\(length)")
        }
      }
      try await holder.send(content(1))
      #expect(try await holder.readResponse().body == "\(Self.longest)")
    }
  }

  @Test("Content counts until the handler returns")
  func handlers() async throws {
    let gate = Gate()
    try await withServer(
      configure: {
        $0.bufferedContentByteCount = Self.limit; $0.eventLoopCount = 1
      },
      handler: { request in
        if request.path == "/wait" { await gate.wait() }
        return text("\(request.body.count)")
      }
    ) { port, handler, _ in
      let client = try TestClient(port: port)
      try await client.send(head(Self.longest, path: "/wait") + content(Self.longest))
      #expect(try await eventually { handler.requestCount == 1 })
      #expect(try await post(Self.longest, to: port) == 503)
      // The peer is gone, but the handler still has the content.
      await client.reset()
      #expect(try await post(Self.longest, to: port) == 503)
      gate.open()
      #expect(try await comesToTake(Self.longest, port))
      #expect(try await post(Self.longest + 1, to: port) == 503)
    }
  }

  /// The ways in which a connection with content on its way ends.
  enum Ending: CaseIterable {
    case close, halfClose, reset, timeout, malformedChunk, tooLargeChunk, refusal, handledReset, answer
    case connectionClose, secondRequest
  }

  @Test("Content no longer counts when its connection ends in any way", arguments: Ending.allCases)
  func endings(_ ending: Ending) async throws {
    try await withSmallBudget(
      configure: { if case .timeout = ending { $0.timeouts.body = .milliseconds(300) } }
    ) { port in
      // If any content still counted, half the budget would be gone after the first, and all of it after the second.
      for _ in 0..<3 { try await end(ending, try TestClient(port: port)) }
      #expect(try await comesToTake(Self.longest, port))
      // No content is given back twice either.
      _ = try await refusal(Self.longest + 1, port)
    }
  }

  private func end(_ ending: Ending, _ client: TestClient) async throws {
    let half = Self.longest / 2
    switch ending {
    case .close:
      try await client.send(head(Self.longest) + content(half))
      await client.close()
    case .halfClose:
      try await client.send(head(Self.longest) + content(half))
      await client.halfClose()
      #expect(try await client.isClosed())
    case .reset:
      try await client.send(head(Self.longest) + content(half))
      await client.reset()
    case .timeout:
      try await client.send(head(Self.longest) + content(half))
      #expect(try await client.readResponse().status == 408)
    case .malformedChunk, .tooLargeChunk:
      let size = if case .malformedChunk = ending { "x" } else { "fffffff" }
      try await client.send(chunkedHead + "\(String(half, radix: 16))\r\n\(content(half))\r\n\(size)\r\n")
      let status = try await client.readResponse().status
      #expect(status == (size == "x" ? 400 : 413))
    case .refusal:
      try await client.send(head(Self.longest + 2) + content(Self.longest + 1))
      #expect(try await client.readResponse().status == 503)
    case .handledReset:
      try await client.send(head(half, path: "/yield") + content(half))
      await client.reset()
    case .answer:
      try await client.send(head(half) + content(half))
      #expect(try await client.readResponse().status == 200)
    case .connectionClose:
      try await client.send(head(half, more: "Connection: close\r\n") + content(half) + content(half))
      #expect(try await client.readResponse().status == 200)
    case .secondRequest:
      let request = head(half, path: "/yield") + content(half)
      try await client.send(request + request + head(half) + content(half - 1))
      for _ in 0..<2 { #expect(try await client.readResponse().status == 200) }
      await client.close()
    }
  }
}

private let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

private func head(_ length: Int, path: String = "/", more: String = "") -> String {
  "POST \(path) HTTP/1.1\r\nHost: a\r\n\(more)Content-Length: \(length)\r\n\r\n"
}

private func content(_ length: Int) -> String { String(repeating: "c", count: length) }

/// A server with one loop of a small budget, which answers with the content's length.
private func withSmallBudget(
  configure: (inout HTTPServerConfiguration) -> Void = { _ in }, _ body: (_ port: UInt16) async throws -> Void
) async throws {
  try await withServer(
    configure: { configuration in
      configuration.eventLoopCount = 1
      configuration.bufferedContentByteCount = ContentBudgetTests.limit
      configure(&configuration)
    },
    handler: { request in
      if request.path == "/yield" { for _ in 0..<200 { await Task.yield() } }
      return text("\(request.content.byteCount)")
    }
  ) { port, _, _ in try await body(port) }
}

/// Returns the status of a request with content of this length, on a separate connection.
private func post(_ length: Int, to port: UInt16) async throws -> Int {
  let client = try TestClient(port: port)
  try await client.send(head(length) + content(length))
  return try await client.readResponse().status
}

/// Whether the server takes content of this length, once it has noticed the changes of other connections.
private func comesToTake(_ length: Int, _ port: UInt16) async throws -> Bool {
  for _ in 0..<2000 {
    if try await post(length, to: port) == 200 { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return false
}

/// Returns the answer to content of this length, once the server refuses it because it has read others' content.
private func refusal(_ length: Int, _ port: UInt16) async throws -> TestResponse {
  for _ in 0..<2000 {
    let client = try TestClient(port: port)
    try await client.send(head(length) + content(length))
    let response = try await client.readResponse()
    guard response.status == 503 else { continue }
    #expect(try await client.isClosed())
    return response
  }
  throw TestClient.Failure(code: 0)
}
