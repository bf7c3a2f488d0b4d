import HTTPMessages
import SocketHTTPServer
import Testing

@Suite("An upgraded connection")
struct UpgradeTests {
  private static let request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"

  /// Answers with an upgrade to a protocol that `run` speaks.
  private static func upgrade(
    _ run: @escaping @Sendable (any HTTPUpgradedConnection) async throws -> Void
  ) -> @Sendable (HTTPRequest) async -> HTTPResponse {
    { _ in
      var fields = HTTPFields()
      fields.append("Upgrade", "echo")
      return HTTPResponse(status: HTTPStatus(101), fields: fields, body: .upgrade(run))
    }
  }

  /// Sends back all bytes, to the end.
  private static let echo = upgrade { connection in
    while let bytes = try await connection.read() { try await connection.write(bytes) }
  }

  @Test("hands bytes over in both directions, those that came with the request too, and ends after the peer")
  func echoes() async throws {
    try await withServer(handler: Self.echo) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send(Self.request + "early ")
      let head = try await client.read(until: "\r\n\r\n")
      #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
      #expect(head.contains("\r\nUpgrade: echo\r\n") && head.contains("\r\nConnection: upgrade\r\n"))
      #expect(!head.contains("Content-Length") && !head.contains("Transfer-Encoding"))
      _ = try await client.read(until: "early ")
      // Bytes of a request are none here.
      try await client.send("GET / HTTP/1.1\r\n\r\n")
      _ = try await client.read(until: "GET / HTTP/1.1\r\n\r\n")
      await client.halfClose()
      #expect(await client.readToEnd().isEmpty)
    }
  }

  @Test("carries much in both directions at once, without keeping it")
  func much() async throws {
    try await withServer(handler: Self.echo) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send(Self.request)
      _ = try await client.read(until: "\r\n\r\n")
      let piece = (0..<32_768).map { UInt8(truncatingIfNeeded: $0) }
      for _ in 0..<64 {
        try await client.send(piece)
        #expect(try await client.read(count: piece.count) == piece)
      }
    }
  }

  @Test("does not take more of a peer than is read")
  func backPressure() async throws {
    let isOver = Gate()
    try await withServer(handler: Self.upgrade { _ in await isOver.wait() }) { port, _, server in
      let client = try TestClient(port: port)
      try await client.send(Self.request)
      _ = try await client.read(until: "\r\n\r\n")
      let sending = Task { try await client.send([UInt8](repeating: 97, count: 64 * 1_024 * 1_024)) }
      try await Task.sleep(for: .milliseconds(200))
      #expect(server.openConnectionCount == 1)
      isOver.open()
      // Closed with most of it unread.
      _ = await sending.result
    }
  }

  @Test("ends when the handler returns, and is reset when it throws")
  func ends() async throws {
    let orderly = Self.upgrade { try await $0.write(Array("bye".utf8)) }
    try await withServer(handler: orderly) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send(Self.request)
      #expect(await client.readToEnd().hasSuffix("\r\n\r\nbye"))
    }
    try await withServer(handler: Self.upgrade { _ in throw HTTPConnectionClosed() }) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send(Self.request)
      await #expect(throws: TestClient.Failure.self) { try await client.isClosed() }
    }
  }

  @Test("wakes a handler that waits when the peer is gone, and one whose task is canceled")
  func waiting() async throws {
    let isGone = Gate()
    let isCanceled = Gate()
    let handler = Self.upgrade { connection in
      await withTaskGroup { group in
        group.addTask { if (try? await connection.read()) == .some(nil) { isCanceled.open() } }
        group.cancelAll()
      }
      do { while try await connection.read() != nil {} } catch { isGone.open() }
    }
    try await withServer(handler: handler) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send(Self.request)
      await isCanceled.wait()
      await client.reset()
      await isGone.wait()
    }
  }

  @Test("is not to be had in HTTP/1.0")
  func http10() async throws {
    try await withServer(handler: Self.echo) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.0\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\n")
      #expect(await client.readToEnd().hasPrefix("HTTP/1.1 500 "))
    }
  }
}
