import Glibc
import HTTPMessages
import SocketHTTPServer
import Synchronization
import Testing

@Suite("A server")
struct LifecycleTests {
  @Test("A server refuses a port that another one listens on", arguments: [1, 2])
  func portInUse(_ eventLoopCount: Int) async throws {
    try await withServer(configure: { $0.eventLoopCount = eventLoopCount }) { port, handler, _ in
      var configuration = HTTPServerConfiguration()
      configuration.port = port
      configuration.eventLoopCount = eventLoopCount
      let second = HTTPServer(configuration: configuration, handler: handler)
      let expected = HTTPServerError.portInUse(host: "127.0.0.1", port: port)
      #expect(throws: expected) { try second.start() }
      #expect(expected.description == "port \(port) on 127.0.0.1 is in use by another program")
      let response = try await fetch("/", from: port)
      #expect(response.status == 200)
    }
  }

  @Test("A server can take the port again as soon as the last one has stopped")
  func restart() async throws {
    var lastPort: UInt16 = 0
    try await withServer { port, _, _ in
      lastPort = port
      let response = try await fetch("/", from: port)
      #expect(response.status == 200)
    }
    try await withServer(configure: { $0.port = lastPort }) { port, _, _ in
      let response = try await fetch("/", from: port)
      #expect(response.status == 200)
    }
  }

  @Test("A server spreads connections over its loops, which share one port")
  func loops() async throws {
    let threads = HandlerThreads()
    try await withServer(
      configure: { $0.eventLoopCount = 4 },
      handler: { _ in
        threads.insertCurrent()
        return text("")
      }
    ) { port, _, _ in
      for _ in 0..<200 where threads.count < 4 {
        let response = try await fetch("/", from: port)
        #expect(response.status == 200)
      }
      #expect(threads.count == 4)
    }
  }

  @Test(
    "A server listens on IPv4 and IPv6 addresses and localhost, and no other name",
    arguments: ["::1", "::", "localhost"])
  func hosts(_ host: String) async throws {
    do {
      try await withServer(configure: { $0.host = host }) { port, _, _ in
        if host != "::1" {
          let response = try await fetch("/", from: port)
          #expect(response.status == 200)
        }
      }
    } catch HTTPServerError.system(call: "socket", code: EAFNOSUPPORT) {
      // This machine has no IPv6.
    } catch HTTPServerError.addressNotAvailable {
      // This machine has switched IPv6 off at run time.
    }
    for name in ["example.com", "", "1.2.3", "[::1]"] {
      await #expect(throws: HTTPServerError.invalidHost(name)) {
        try await withServer(configure: { $0.host = name }) { _, _, _ in }
      }
    }
  }

  @Test("A server refuses an address of another machine, and a second start")
  func otherErrors() async throws {
    await #expect(throws: HTTPServerError.addressNotAvailable(host: "192.0.2.1")) {
      try await withServer(configure: { $0.host = "192.0.2.1" }) { _, _, _ in }
    }
    try await withServer { _, _, server in
      #expect(throws: HTTPServerError.alreadyStarted) { try server.start() }
    }
  }

  @Test("A server opens no more connections than its limit; the next one waits for its turn")
  func connectionLimit() async throws {
    try await withServer(configure: { $0.connectionLimit = 2 }) { port, handler, _ in
      let first = try TestClient(port: port)
      let second = try TestClient(port: port)
      for client in [first, second] { #expect(try await client.get("/").status == 200) }
      let third = try TestClient(port: port)
      try await third.send("GET /third HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await !eventuallyWithin(100) { handler.requestCount > 2 })
      await first.close()
      #expect(try await third.readResponse().body == "GET /third ")
    }
  }
}

/// The threads that handlers ran on.
final class HandlerThreads: Sendable {
  private let threads = Mutex<Set<pthread_t>>([])

  var count: Int { threads.withLock { $0.count } }

  func insertCurrent() {
    let thread = pthread_self()
    threads.withLock { _ = $0.insert(thread) }
  }
}
