import HTTPMessages
import Testing

@testable import SocketHTTPServer

@Suite("Connections of one address")
struct AddressLimitTests {
  @Test(
    "An address beyond its limit over all loops gets the reason, others are served, and it is again later")
  func limit() async throws {
    try await withServer(configure: { configuration in
      configuration.eventLoopCount = 2
      configuration.addressConnectionLimit = 3
      configuration.isUncountedAddress = { _ in false }
    }) { port, handler, _ in
      let clients = try (0..<3).map { _ in try TestClient(port: port) }
      for client in clients { #expect(try await client.get("/").status == 200) }

      let further = try TestClient(port: port)
      try await further.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let refusal = try await further.readResponse()
      #expect(refusal.status == 503 && refusal.contains("Connection: close"))
      #expect(refusal.contains("Retry-After: 5"))
      #expect(try await further.isClosed())
      #expect(handler.requestCount == 3)

      #expect(try await TestClient(port: port, from: 0x7F00_0002).get("/").status == 200)

      await clients[0].close()
      var status = 503
      while status == 503 { status = try await TestClient(port: port).readFirstStatus(of: "/") }
      #expect(status == 200)
    }
  }

  @Test("Connections far beyond the limit are reset, and those of other addresses still get the reason")
  func flood() async throws {
    try await withServer(configure: { configuration in
      configuration.addressConnectionLimit = 1
      configuration.isUncountedAddress = { _ in false }
      configuration.timeouts.lingering = .seconds(120)
    }) { port, _, _ in
      let served = try TestClient(port: port)
      #expect(try await served.get("/").status == 200)
      let told = try (0..<ConnectionsByAddress.toldLimit).map { _ in try TestClient(port: port) }
      for client in told { #expect(try await client.readResponse().status == 503) }

      for _ in 0..<100 {
        let client = try TestClient(port: port)
        await #expect(throws: TestClient.Failure.self) { try await client.isClosed() }
      }
      #expect(try await served.get("/").status == 200)

      await told[0].close()
      var status: Int?
      while status == nil { status = try? await TestClient(port: port).readResponse().status }
      #expect(status == 503)
    }
  }

  @Test("Connections from a proxy, by default one on this machine, are not counted")
  func uncounted() async throws {
    try await withServer(configure: { $0.addressConnectionLimit = 1 }) { port, _, _ in
      let clients = try (0..<5).map { _ in try TestClient(port: port) }
      for client in clients { #expect(try await client.get("/").status == 200) }
    }
    for address in ["127.0.0.1", "127.255.255.254", "::1"] {
      #expect(HTTPServerConfiguration.isLoopback(address))
    }
    for address in ["128.0.0.1", "12.7.0.1", "192.0.2.127", "::2", "2001:db8::1", ""] {
      #expect(!HTTPServerConfiguration.isLoopback(address))
    }
  }

  @Test("Connections count for an IPv4 address, or for the first 64 bits of an IPv6 address")
  func blocks() throws {
    func block(_ host: String) throws -> AddressBlock {
      try #require(SocketAddress(host: host, port: 1)?.block)
    }
    #expect(try block("192.0.2.1") == block("::ffff:192.0.2.1"))
    #expect(try block("192.0.2.1") != block("192.0.2.2"))
    #expect(try block("::ffff:192.0.2.1") != block("::ffff:192.0.2.2"))
    #expect(try block("2001:db8::1") == block("2001:db8::ffff:ffff:ffff:ffff"))
    #expect(try block("2001:db8::1") != block("2001:db8:0:1::1"))
    #expect(try block("::1") != block("::ffff:0.0.0.1"))
    #expect(SocketAddress().block == nil)
  }

  @Test("Connections are not counted if one address may have all of them")
  func noLimit() throws {
    var configuration = HTTPServerConfiguration()
    configuration.isUncountedAddress = { _ in false }
    let address = try #require(SocketAddress(host: "192.0.2.1", port: 1))
    for (limit, isCounted) in [(9, true), (10, false), (11, false)] {
      configuration.connectionLimit = 10
      configuration.addressConnectionLimit = limit
      let admission = ConnectionsByAddress(configuration).admit(address, host: "192.0.2.1")
      if case .counted = admission { #expect(isCounted) } else { #expect(!isCounted) }
    }
  }
}

extension TestClient {
  /// Returns the status of the answer to a GET; 503 if the connection is reset before an answer.
  fileprivate func readFirstStatus(of path: String) -> Int {
    (try? get(path).status) ?? 503
  }
}
