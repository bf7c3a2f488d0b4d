import HTTPMessages
import SocketHTTPServer
import Testing

@Suite("A request's content")
struct RequestBodyTests {
  @Test("Content may be chunked")
  func chunked() async throws {
    try await withServer { port, _, _ in
      let client = try TestClient(port: port)
      let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
      try await client.send(head + "5\r\nhello\r\n1;a=b\r\n!\r\n0\r\nTrailer: c\r\n\r\n")
      #expect(try await client.readResponse().body == "POST / hello!")
      #expect(try await client.get("/next").status == 200)
    }
  }

  @Test("A client that waits for a 100 before its content gets one")
  func expectContinue() async throws {
    try await withServer { port, handler, _ in
      let client = try TestClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      #expect(try await client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      #expect(handler.requestCount == 0)
      try await client.send("hi")
      #expect(try await client.readResponse().body == "POST / hi")
    }
  }

  @Test("A client whose content would be refused gets no 100")
  func refusedExpectation() async throws {
    try await withServer { port, handler, _ in
      let client = try TestClient(port: port)
      try await client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 262145\r\n\r\n")
      #expect(try await client.readResponse().status == 413)
      #expect(try await client.isClosed())
      #expect(handler.requestCount == 0)
    }
  }

  @Test("Content at the limit is served, and one byte more is a 413")
  func limit() async throws {
    try await withServer(handler: { text("\($0.body.count)") }) { port, _, _ in
      for (count, status) in [(262_144, 200), (262_145, 413)] {
        let client = try TestClient(port: port)
        try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
        try await client.send([UInt8](repeating: 98, count: count))
        #expect(try await client.readResponse().status == status)
      }
    }
  }

  @Test("Refused content can be sent to its end, and the 413 read after it")
  func readableRefusal() async throws {
    try await withServer(configure: { $0.timeouts.lingering = .seconds(120) }) { port, _, _ in
      let client = try TestClient(port: port)
      let count = 12 * 1024 * 1024
      try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
      // This is far more than the sockets' buffers hold: a server that closed at once would reset the connection.
      try await client.send([UInt8](repeating: 98, count: count))
      let response = try await client.readResponse()
      #expect(response.status == 413 && response.body == "body_too_large")
      #expect(try await client.isClosed())
    }
  }
}
