import HTTPMessages
import SocketHTTPServer
import Testing

@Suite("A client that is too slow")
struct TimeoutTests {
  @Test("with its head gets a 408, and one that sends nothing is closed without a word")
  func head() async throws {
    try await withServer(configure: { $0.timeouts.head = .milliseconds(150) }) { port, handler, _ in
      let slow = try TestClient(port: port)
      let silent = try TestClient(port: port)
      try await slow.send("GET / HTTP/1.1\r\nHost:")
      let response = try await slow.readResponse()
      #expect(response.status == 408 && response.contains("Connection: close"))
      #expect(try await slow.isClosed())
      #expect(try await silent.isClosed())
      #expect(handler.requestCount == 0)
    }
  }

  @Test("with its head gains nothing by sending a byte now and then")
  func drippingHead() async throws {
    try await withServer(configure: { $0.timeouts.head = .milliseconds(300) }) { port, _, _ in
      let client = try TestClient(port: port)
      var sentCount = 0
      for byte in "GET /\(String(repeating: "a", count: 1000)) HTTP/1.1\r\n".utf8 {
        guard (try? await client.send([byte])) != nil else { break }
        sentCount += 1
        try await Task.sleep(for: .milliseconds(20))
        if await client.readToEndIfReady()?.contains("408") == true { break }
      }
      #expect(sentCount < 500)
    }
  }

  @Test("with its content gets a 408")
  func body() async throws {
    try await withServer(configure: { $0.timeouts.body = .milliseconds(150) }) { port, handler, _ in
      let client = try TestClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell")
      #expect(try await client.readResponse().status == 408)
      #expect(try await client.isClosed())
      #expect(handler.requestCount == 0)
    }
  }

  @Test("between requests is closed without a word")
  func idle() async throws {
    try await withServer(configure: { $0.timeouts.idle = .milliseconds(500) }) { port, _, _ in
      let client = try TestClient(port: port)
      #expect(try await client.get("/").status == 200)
      #expect(try await client.isClosed())
    }
  }

  @Test("to read its response is cut, and the response's writes fail")
  func write() async throws {
    let isRefused = Gate()
    try await withServer(
      configure: { $0.timeouts.write = .milliseconds(200) },
      handler: stream { writer in
        do {
          while true { try await writer.write([UInt8](repeating: 97, count: 65_536)) }
        } catch {
          isRefused.open()
        }
      }
    ) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await isRefused.wait()
      #expect(await client.readsUpToReset())
    }
  }

  @Test("to read its response is not idle meanwhile")
  func slowReaderIsNotIdle() async throws {
    // More than the system takes off the server's hands.
    let content = [UInt8](repeating: 97, count: 16 * 1024 * 1024)
    try await withServer(
      configure: { $0.timeouts.idle = .milliseconds(300) },
      handler: { _ in HTTPResponse(status: .ok, body: .bytes(content)) }
    ) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      try await Task.sleep(for: .milliseconds(1_200))
      let response = try await client.readResponse()
      #expect(response.body.utf8.count == content.count)
      #expect(try await client.isClosed())
    }
  }

  @Test("is not one whose handler is slow")
  func slowHandler() async throws {
    try await withServer(
      configure: { configuration in
        configuration.timeouts.head = .milliseconds(300)
        configuration.timeouts.body = .milliseconds(300)
        configuration.timeouts.write = .milliseconds(300)
        configuration.timeouts.idle = .milliseconds(300)
      },
      handler: { request in
        try? await Task.sleep(for: .milliseconds(1_200))
        return await echo(request)
      }
    ) { port, _, _ in
      let response = try await fetch("/a", from: port)
      #expect(response.body == "GET /a ")
    }
  }
}
