import HTTPMessages
import SocketHTTPServer
import Synchronization
import Testing

@Suite("A streamed response")
struct StreamingTests {
  struct Mishap: Error {}

  @Test("A streamed response is chunked, and the connection stays usable after it")
  func chunks() async throws {
    try await withServer(
      handler: stream { writer in
        try await writer.write(Array("hello".utf8))
        try await writer.write([])
        await Task.yield()
        try await writer.write(Array(" world".utf8))
      }
    ) { port, _, _ in
      let client = try TestClient(port: port)
      for _ in 0..<2 {
        let response = try await client.get("/")
        #expect(response.contains("Transfer-Encoding: chunked"))
        #expect(response.body == "hello world")
      }
    }
  }

  @Test("A streamed response to HTTP/1.0 ends with the connection")
  func http10() async throws {
    try await withServer(handler: stream { try await $0.write(Array("hello".utf8)) }) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let wire = await client.readToEnd()
      #expect(wire.contains("\r\nConnection: close\r\n"))
      #expect(wire.hasSuffix("\r\n\r\nhello"))
    }
  }

  @Test("The content of a streamed response to HEAD is never made")
  func head() async throws {
    let made = Counter()
    try await withServer(handler: stream { _ in made.add(1) }) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nHEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
      for _ in 0..<2 { #expect(try await client.readResponse(toHead: true).status == 200) }
      #expect(made.value == 0)
    }
  }

  @Test("A streamed response waits for a slow reader, which gets all of it")
  func backPressure() async throws {
    let written = Counter()
    let total = 48 * 1024 * 1024
    let piece = [UInt8](repeating: 97, count: 16 * 1024)
    try await withServer(
      handler: stream { writer in
        for _ in 0..<total / piece.count {
          try await writer.write(piece)
          written.add(piece.count)
        }
      }
    ) { port, _, _ in
      let client = try TestClient(port: port, receiveBufferByteCount: 64 * 1024)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try await client.read(until: "\r\n\r\n")
      var last = -1
      while last != written.value {
        last = written.value
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(written.value < total / 2, "it ran ahead of its reader")
      #expect(try await client.readChunks().count == total)
    }
  }

  @Test("A streamed response that waits until all is sent keeps nothing for a reader that does not read")
  func waitingUntilSent() async throws {
    let isSent = Gate()
    let written = Counter()
    let piece = [UInt8](repeating: 97, count: 4 * 1_024)
    let isRead = Gate()
    try await withServer(
      handler: stream { writer in
        try await writer.write(piece)
        try await writer.waitUntilSent()
        isSent.open()
        await isRead.wait()
        for _ in 0..<4_096 {
          try await writer.write(piece)
          try await writer.waitUntilSent()
          written.add(1)
        }
      }
    ) { port, _, _ in
      let client = try TestClient(port: port, receiveBufferByteCount: 64 * 1024)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      // The system takes one piece at once, whether it is read or not.
      await isSent.wait()
      _ = try await client.read(until: "\r\n\r\n")
      isRead.open()
      #expect(try await client.readChunks().count == 4_097 * piece.count)
      #expect(written.value == 4_096)
    }
  }

  @Test("A streamed response that is cut ends at once, even while it waits for its reader")
  func cutting() async throws {
    let isRefused = Gate()
    let writers = Mutex<[any HTTPBodyWriter]>([])
    let isWriting = Gate()
    try await withServer(
      handler: stream { writer in
        writers.withLock { $0.append(writer) }
        isWriting.open()
        do {
          while true { try await writer.write([UInt8](repeating: 97, count: 64 * 1_024)) }
        } catch is HTTPConnectionClosed {
          isRefused.open()
        }
      }
    ) { port, _, _ in
      let client = try TestClient(port: port, receiveBufferByteCount: 64 * 1024)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await isWriting.wait()
      for writer in writers.withLock({ $0 }) { writer.cut() }
      await isRefused.wait()
      // Nothing is left to cut.
      for writer in writers.withLock({ $0 }) { writer.cut() }
    }
  }

  @Test("A streamed response is canceled when its reader leaves, and its writes fail")
  func disconnect() async throws {
    let isWriteRefused = Gate()
    let isCancelled = Gate()
    try await withServer(
      handler: stream { writer in
        do {
          while true {
            try await writer.write([UInt8](repeating: 97, count: 1024))
            await Task.yield()
          }
        } catch is HTTPConnectionClosed {
          isWriteRefused.open()
        }
        if Task.isCancelled { isCancelled.open() }
      }
    ) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try await client.read(until: "aaaa")
      await client.reset()
      await isWriteRefused.wait()
      await isCancelled.wait()
    }
  }

  @Test("A streamed response is canceled even while it writes nothing")
  func disconnectWhileQuiet() async throws {
    let isCancelled = Gate()
    try await withServer(
      handler: stream { writer in
        try await writer.write(Array("hello".utf8))
        try? await Task.sleep(for: .seconds(100))
        if Task.isCancelled { isCancelled.open() }
      }
    ) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try await client.read(until: "hello")
      await client.reset()
      await isCancelled.wait()
    }
  }

  @Test("A canceled response cancels no other request")
  func requestAfterCancellation() async throws {
    let isCancelled = Gate()
    try await withServer(
      configure: { $0.eventLoopCount = 1 },
      handler: { request in
        guard request.path == "/stuck" else { return text("canceled: \(Task.isCancelled)") }
        try? await Task.sleep(for: .seconds(100))
        isCancelled.open()
        return text("nobody reads this")
      }
    ) { port, handler, _ in
      let stuck = try TestClient(port: port)
      try await stuck.send("GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await eventually { handler.requestCount == 1 })
      let other = try TestClient(port: port)
      #expect(try await other.get("/").body == "canceled: false")
      await stuck.reset()
      await isCancelled.wait()
      for _ in 0..<3 { #expect(try await other.get("/").body == "canceled: false") }
    }
  }

  @Test("A failing streamed response is cut before its last chunk")
  func failure() async throws {
    try await withServer(
      handler: stream { writer in
        try await writer.write(Array("hello".utf8))
        throw Mishap()
      }
    ) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await client.readToEnd().hasSuffix("\r\n\r\n5\r\nhello\r\n"))
    }
  }

  @Test("A failing streamed response resets an HTTP/1.0 connection, whose end would look complete")
  func failureToHTTP10() async throws {
    try await withServer(handler: stream { _ in throw Mishap() }) { port, _, _ in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.0\r\n\r\n")
      await #expect(throws: TestClient.Failure.self) { try await client.isClosed() }
    }
  }

  @Test("A streamed response can be written from a task outside the loop, but not after its end")
  func otherTasks() async throws {
    let keeper = Keeper()
    try await withServer(
      handler: stream { writer in
        keeper.writer.withLock { $0 = writer }
        try await Task.detached { try await writer.write(Array("hello".utf8)) }.value
      }
    ) { port, _, _ in
      let client = try TestClient(port: port)
      #expect(try await client.get("/").body == "hello")
      let writer = try #require(keeper.writer.withLock { $0 })
      await #expect(throws: HTTPConnectionClosed.self) { try await writer.write([97]) }
      #expect(try await client.get("/").body == "hello")
    }
  }
}

/// Holds a writer longer than it may be used.
final class Keeper: Sendable {
  let writer = Mutex<(any HTTPBodyWriter)?>(nil)
}

/// A number that several tasks add to.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .acquiring) }

  func add(_ number: Int) {
    count.wrappingAdd(number, ordering: .acquiringAndReleasing)
  }
}

/// A handler that answers every request with a stream.
func stream(
  _ produce: @escaping @Sendable (any HTTPBodyWriter) async throws -> Void
) -> @Sendable (HTTPRequest) async -> HTTPResponse {
  { _ in HTTPResponse(status: .ok, body: .stream(produce)) }
}
