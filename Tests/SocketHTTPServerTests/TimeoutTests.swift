import HTTPMessages
import Testing

@testable import SocketHTTPServer

@Suite("A client that is too slow")
struct TimeoutTests {
  @Test("A slow head gets a 408, and a connection without one is closed without an answer")
  func head() async throws {
    // Long enough that the client's bytes arrive in time, on any busy machine.
    try await withServer(configure: { $0.timeouts.head = .seconds(3) }) { port, handler, _ in
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

  @Test("A client gains no time for its head by sending a byte now and then")
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

  @Test("Slow content gets a 408")
  func body() async throws {
    try await withServer(configure: { $0.timeouts.body = .milliseconds(150) }) { port, handler, _ in
      let client = try TestClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell")
      #expect(try await client.readResponse().status == 408)
      #expect(try await client.isClosed())
      #expect(handler.requestCount == 0)
    }
  }

  @Test("A connection that is idle between requests is closed without an answer")
  func idle() async throws {
    try await withServer(configure: { $0.timeouts.idle = .milliseconds(500) }) { port, _, _ in
      let client = try TestClient(port: port)
      #expect(try await client.get("/").status == 200)
      #expect(try await client.isClosed())
    }
  }

  @Test("A client that reads its response too slowly is cut, and the response's writes fail")
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

  @Test(
    "A client that takes a streamed response too slowly on average is cut, though it takes some in every window"
  )
  func slowStream() async throws {
    let isRefused = Gate()
    try await withServer(
      configure: { configuration in
        configuration.timeouts.write = .seconds(5)
        configuration.timeouts.streamGrace = .milliseconds(300)
        configuration.timeouts.streamBytesPerSecond = 1 << 30
      },
      handler: stream { writer in
        do {
          while true { try await writer.write([UInt8](repeating: 97, count: 65_536)) }
        } catch {
          isRefused.open()
        }
      }
    ) { port, _, _ in
      let client = try TestClient(port: port, receiveBufferByteCount: 64 * 1024)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await isRefused.wait()
      #expect(await client.readsUpToReset())
    }
  }

  @Test("A client is measured by the time in which its answer waits for it")
  func streamProgress() {
    let second: Int64 = 1_000_000_000
    var progress = StreamProgress(takenBefore: 1_000)
    func isTooSlow(_ now: Int64, taken: Int) -> Bool {
      progress.isTooSlow(16_000, grace: 30 * second, now: now * second, taken: 1_000 + taken)
    }
    #expect(!isTooSlow(1_000, taken: 0))
    progress.setWaiting(true, at: 0)
    #expect(!isTooSlow(30, taken: 0) && isTooSlow(31, taken: 15_999) && !isTooSlow(31, taken: 16_000))
    progress.setWaiting(true, at: 20 * second)
    #expect(isTooSlow(31, taken: 15_999))
    progress.setWaiting(false, at: 40 * second)
    #expect(isTooSlow(1_000, taken: 159_999) && !isTooSlow(1_000, taken: 160_000))
    progress.setWaiting(true, at: 1_000 * second)
    #expect(isTooSlow(1_001, taken: 175_999) && !isTooSlow(1_001, taken: 176_000))
  }

  @Test("A client that still reads its response is not idle")
  func slowReaderIsNotIdle() async throws {
    // This is more than the system takes from the server.
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

  @Test("A client is not too slow because its handler is")
  func slowHandler() async throws {
    try await withServer(
      configure: { configuration in
        configuration.timeouts.head = .seconds(3)
        configuration.timeouts.body = .seconds(3)
        configuration.timeouts.write = .seconds(3)
        configuration.timeouts.idle = .seconds(3)
      },
      handler: { request in
        try? await Task.sleep(for: .seconds(7))
        return await echo(request)
      }
    ) { port, _, _ in
      let response = try await fetch("/a", from: port)
      #expect(response.body == "GET /a ")
    }
  }
}
