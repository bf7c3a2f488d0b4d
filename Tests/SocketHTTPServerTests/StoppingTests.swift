import HTTPMessages
import SocketHTTPServer
import Synchronization
import Testing

@Suite("A server's stop")
struct StoppingTests {
  @Test("A stop ends when the requests in flight are answered, and closes idle connections at once")
  func gracefulStop() async throws {
    let gate = Gate()
    try await withServer(handler: { request in
      await gate.wait()
      return await echo(request)
    }) { port, handler, server in
      let idle = try TestClient(port: port)
      let busy = try TestClient(port: port)
      try await busy.send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await eventually { handler.requestCount == 1 })
      async let stopped: Void = server.stop()
      #expect(try await idle.isClosed())
      #expect(throws: TestClient.Failure.self) { try TestClient(port: port) }
      gate.open()
      let response = try await busy.readResponse()
      #expect(response.body == "GET /busy " && response.contains("Connection: close"))
      #expect(try await busy.isClosed())
      await busy.close()
      await stopped
    }
  }

  @Test("A stop cuts and cancels the requests that remain at its deadline")
  func stopDeadline() async throws {
    let isCancelled = Gate()
    try await withServer(
      configure: { $0.timeouts.shutdown = .milliseconds(200) },
      handler: { request in
        try? await Task.sleep(for: .seconds(100))
        if Task.isCancelled { isCancelled.open() }
        return await echo(request)
      }
    ) { port, handler, server in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await eventually { handler.requestCount == 1 })
      await server.stop()
      await isCancelled.wait()
      #expect(await client.readToEnd().isEmpty)
    }
  }

  @Test("A stop resets a cut response that the connection's end would make look complete")
  func cutStream() async throws {
    let isCancelled = Gate()
    try await withServer(
      handler: stream { writer in
        try await writer.write(Array("half".utf8))
        try? await Task.sleep(for: .seconds(100))
        if Task.isCancelled { isCancelled.open() }
      }
    ) { port, _, server in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.0\r\n\r\n")
      _ = try await client.read(until: "\r\n\r\nhalf")
      await server.stop(within: .milliseconds(100))
      await isCancelled.wait()
      #expect(await client.readsUpToReset())
    }
  }

  @Test("The loop sleeps while a stop waits for the last requests")
  func sleepingStop() async throws {
    let gate = Gate()
    let loop = Mutex<ThreadStatus?>(nil)
    try await withServer(
      configure: { $0.eventLoopCount = 1 },
      handler: { request in
        loop.withLock { $0 = ThreadStatus() }
        await gate.wait()
        return await echo(request)
      }
    ) { port, _, server in
      let idle = try TestClient(port: port)
      let busy = try TestClient(port: port)
      try await busy.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await eventually { loop.withLock { $0 != nil } })
      async let stopped: Void = server.stop()
      #expect(try await idle.isClosed())
      #expect(try await eventually { loop.withLock { $0?.isAsleep ?? false } })
      gate.open()
      #expect(try await busy.readResponse().status == 200)
      await busy.close()
      await stopped
    }
  }

  @Test("A stop can be given less time than is configured")
  func shorterStop() async throws {
    let gate = Gate()
    try await withServer(
      configure: { $0.timeouts.shutdown = .seconds(100_000) },
      handler: { request in
        await gate.wait()
        return await echo(request)
      }
    ) { port, handler, server in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await eventually { handler.requestCount == 1 })
      async let stopped: Void = server.stop(within: .milliseconds(100))
      // Before the request could be answered; the client itself gives up sooner than the server would.
      #expect(try await client.isClosed())
      gate.open()
      await stopped
    }
  }

  @Test("A stop answers every request that was on its way")
  func stopUnderLoad() async throws {
    for _ in 0..<5 {
      try await withServer { port, _, server in
        let clients = try (0..<16).map { _ in try TestClient(port: port) }
        for client in clients { try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n") }
        async let stopped: Void = server.stop()
        for client in clients { #expect(try await client.readResponse().body == "GET /a ") }
        for client in clients { await client.close() }
        await stopped
      }
    }
  }
}
