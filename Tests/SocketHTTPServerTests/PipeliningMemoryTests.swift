import Dispatch
import HTTPMessages
import Synchronization
import Testing

@testable import SocketHTTPServer

@Suite("A peer that pipelines without end")
struct PipeliningMemoryTests {
  /// The bytes that are sent, far more than the server may keep.
  static let totalByteCount = 8 * 1024 * 1024
  /// The limit and one more read of the loop, twice: as many bytes again may have been parsed already.
  static let bound = 2 * (Connection.unreadLimit + 64 * 1024)

  @Test("The server keeps no more pipelined input than the limit, though the buffer never runs empty")
  func unreadInput() async throws {
    let peer = PeerState()
    try await withLoop { _, loop in
      // This runs on the loop's own thread, like everything about its connections.
      let connection = loop.connections.lazy.compactMap(\.self).first
      // Whenever the connection continues, more input has arrived already, so the buffer never runs empty.
      while let connection, connection.unread.count - connection.unreadStart < 8192, !peer.hasSentAll {
        await Task.yield()
      }
      peer.note(keptByteCount: connection?.unread.count ?? 0)
      return text("")
    } _: { port in
      let client = try TestClient(port: port)
      let body = String(repeating: "b", count: 4000)
      let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000\r\n\r\n\(body)"
      let count = Self.totalByteCount / request.utf8.count
      // The answers, 100 bytes each, stay in the sockets' buffers in the meantime.
      try await client.send(String(repeating: request, count: count))
      peer.noteAllSent()
      for _ in 0..<count { #expect(try await client.readResponse().status == 200) }
    }
    #expect(peer.largestKeptByteCount > 0)
    #expect(peer.largestKeptByteCount <= Self.bound)
  }
}

/// The peer's progress, and the measurements of it.
private final class PeerState: Sendable {
  private let isDone = Atomic(false)
  private let largest = Atomic(0)

  var hasSentAll: Bool { isDone.load(ordering: .acquiring) }
  var largestKeptByteCount: Int { largest.load(ordering: .acquiring) }

  func noteAllSent() {
    isDone.store(true, ordering: .releasing)
  }

  func note(keptByteCount: Int) {
    largest.max(keptByteCount, ordering: .acquiringAndReleasing)
  }
}

/// Holds the loop for its handler, which is made first.
private final class LoopKeeper: Sendable {
  let loop = Mutex<ServerLoop?>(nil)
}

/// Runs `body` against a single event loop, which the handler gets too.
private func withLoop(
  handler: @escaping @Sendable (HTTPRequest, ServerLoop) async -> HTTPResponse,
  _ body: (_ port: UInt16) async throws -> Void
) async throws {
  let keeper = LoopKeeper()
  let (descriptors, port) = try ListeningSocket.open(host: "127.0.0.1", port: 0, count: 1)
  let loop = try ServerLoop(
    listeningSocket: descriptors[0], configuration: HTTPServerConfiguration(),
    connectionCount: LimitedCount(limit: 10),
    connectionsByAddress: ConnectionsByAddress(HTTPServerConfiguration()),
    handler: TestHandler { request in
      guard let loop = keeper.loop.withLock(\.self) else { return text("") }
      return await handler(request, loop)
    })
  keeper.loop.withLock { $0 = loop }
  DispatchQueue(label: "loop").async { loop.run() }
  do {
    try await body(port)
  } catch {
    await stop(loop, keeper)
    throw error
  }
  await stop(loop, keeper)
}

private func stop(_ loop: ServerLoop, _ keeper: LoopKeeper) async {
  loop.requestStop()
  await loop.waitUntilStopped()
  keeper.loop.withLock { $0 = nil }
}
