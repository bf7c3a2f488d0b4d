import HTTPMessages
import SocketHTTPServer
import Testing

@Suite("A connection")
struct ExchangeTests {
  @Test("A connection serves one request after another")
  func keepAlive() async throws {
    try await withServer { port, _, _ in
      let client = try TestClient(port: port)
      for number in 0..<50 {
        let response = try await client.get("/\(number)")
        #expect(response.status == 200)
        #expect(response.body == "GET /\(number) ")
        #expect(response.head.contains("\r\nDate: "))
        #expect(!response.head.contains("Connection:"))
      }
    }
  }

  @Test("A connection serves a request that arrives byte by byte")
  func byteByByte() async throws {
    try await withServer { port, _, _ in
      let client = try TestClient(port: port)
      for byte in "\r\nPOST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi".utf8 {
        try await client.send([byte])
      }
      #expect(try await client.readResponse().body == "POST /a hi")
    }
  }

  @Test("Pipelined requests are answered in order, one at a time, however long each takes")
  func pipelining() async throws {
    let first = Gate()
    try await withServer(handler: { request in
      if request.path == "/0" { await first.wait() }
      if request.path == "/50" { await Task.yield() }
      return await echo(request)
    }) { port, handler, _ in
      let client = try TestClient(port: port)
      try await client.send((0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
      #expect(try await eventually { handler.requestCount == 1 })
      #expect(try await !eventuallyWithin(50) { handler.requestCount > 1 })
      first.open()
      for number in 0..<200 { #expect(try await client.readResponse().body == "GET /\(number) ") }
    }
  }

  @Test("A connection answers more pipelined requests than it buffers")
  func deepPipelining() async throws {
    try await withServer { port, _, _ in
      let client = try TestClient(port: port)
      let body = String(repeating: "b", count: 2000)
      let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n\(body)"
      // No buffer on the way takes all of the four mebibytes: half is sent, then read, then the rest is sent.
      for _ in 0..<20 {
        try await client.send(String(repeating: request, count: 100))
        for _ in 0..<100 { #expect(try await client.readResponse().body == "POST / \(body)") }
      }
    }
  }

  @Test("A connection closes after Connection: close, and no later request is executed")
  func connectionClose() async throws {
    try await withServer { port, handler, _ in
      let client = try TestClient(port: port)
      try await client.send(
        "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await client.readResponse().contains("Connection: close"))
      #expect(try await client.isClosed())
      #expect(handler.requestCount == 1)
    }
  }

  @Test("A connection closes after a refused request, and no later request is executed")
  func rejection() async throws {
    try await withServer { port, handler, _ in
      let client = try TestClient(port: port)
      try await client.send(
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await client.readResponse().body == "GET /1 ")
      let refusal = try await client.readResponse()
      #expect(refusal.status == 400 && refusal.body == "malformed_request")
      #expect(refusal.contains("Connection: close"))
      #expect(try await client.isClosed())
      #expect(handler.requestCount == 1)
    }
  }

  @Test("HEAD gets the fields of GET, no content, and then the next response follows")
  func head() async throws {
    try await withServer { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await client.readResponse(toHead: true).contains("Content-Length: 8"))
      #expect(try await client.readResponse().body == "GET /b ")
    }
  }

  @Test(
    "A refused HEAD gets no content either, even if its request line is not valid",
    arguments: [
      "/a HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n", "/a|b HTTP/1.1\r\nHost: a\r\n\r\n", "/a HTTP\r\n", "/a\n",
    ])
  func refusedHead(_ rest: String) async throws {
    try await withServer { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("HEAD \(rest)")
      #expect(await client.readToEnd().hasSuffix("Content-Length: 17\r\n\r\n"))
    }
  }

  @Test("HTTP/1.0 is served, and its connection stays open on request")
  func http10() async throws {
    try await withServer { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let kept = try await client.readResponse()
      #expect(kept.body == "GET /a " && kept.contains("Connection: keep-alive"))
      try await client.send("GET /b HTTP/1.0\r\n\r\n")
      #expect(try await client.readResponse().contains("Connection: close"))
      #expect(try await client.isClosed())
    }
  }

  @Test("The handler gets the peer's address, also for refused requests")
  func remoteAddress() async throws {
    try await withServer(handler: { text($0.remoteAddress ?? "") }) { port, _, _ in
      let response = try await fetch("/", from: port)
      #expect(response.body == "127.0.0.1")
      let client = try TestClient(port: port)
      try await client.send("no request\r\n\r\n")
      #expect(try await client.readResponse().contains("Peer: 127.0.0.1"))
    }
  }

  @Test("A peer that has half-closed still gets the answers")
  func halfClose() async throws {
    let gate = Gate()
    try await withServer(handler: { request in
      await gate.wait()
      return await echo(request)
    }) { port, handler, _ in
      let client = try TestClient(port: port)
      try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
      await client.halfClose()
      #expect(try await eventually { handler.requestCount == 1 })
      gate.open()
      #expect(try await client.readResponse().body == "GET /a ")
      #expect(try await client.readResponse().body == "GET /b ")
      #expect(try await client.isClosed())
    }
  }

  @Test("64 connections are served side by side")
  func parallelConnections() async throws {
    try await withServer { port, handler, _ in
      let clients = try (0..<64).map { _ in try TestClient(port: port) }
      for round in 0..<20 {
        for client in clients { try await client.send("GET /\(round) HTTP/1.1\r\nHost: a\r\n\r\n") }
        for client in clients { #expect(try await client.readResponse().body == "GET /\(round) ") }
      }
      #expect(handler.requestCount == 64 * 20)
    }
  }
}

/// Whether a condition becomes true within some milliseconds; used to show that it does not.
func eventuallyWithin(_ milliseconds: Int, _ condition: () -> Bool) async throws -> Bool {
  for _ in 0..<milliseconds {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(1))
  }
  return false
}
