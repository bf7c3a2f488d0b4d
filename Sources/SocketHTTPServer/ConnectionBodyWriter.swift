import EventLoops
import HTTPMessages

/// Writes a handler's stream to the connection, as long as the response is the connection's current one.
struct ConnectionBodyWriter: HTTPBodyWriter {
  let connection: Connection
  let exchangeNumber: Int
  let isChunked: Bool

  func write(_ bytes: [UInt8]) async throws {
    // Long work, and an unstructured task that the handler starts, have other executors than the handler.
    try await connection.loop.events.runTask { try await writeOnLoop(bytes) }
  }

  private func writeOnLoop(_ bytes: [UInt8]) async throws {
    try requireCurrent()
    guard !bytes.isEmpty else { return }
    await EventLoop.giveWay()
    try requireCurrent()
    connection.enqueueOutput { output in
      if isChunked {
        HTTPResponseWriter.appendChunk(bytes, to: &output)
      } else {
        output.append(contentsOf: bytes)
      }
    }
    guard connection.pendingByteCount > Connection.highWaterByteCount else { return }
    guard await waitUntilDrained() else { throw HTTPConnectionClosed() }
  }

  func waitUntilSent() async throws {
    try await connection.loop.events.runTask { try await waitUntilSentOnLoop() }
  }

  private func waitUntilSentOnLoop() async throws {
    try requireCurrent()
    // A task that waits goes on whenever some of it is sent.
    while connection.pendingByteCount > 0 {
      guard await waitUntilDrained() else { throw HTTPConnectionClosed() }
      try requireCurrent()
    }
  }

  func cut() {
    connection.loop.events.perform {
      if isCurrent { connection.disconnect() }
    }
  }

  /// Whether the response is still the connection's. Ask on the connection's loop.
  private var isCurrent: Bool {
    connection.phase == .responding && connection.exchangeNumber == exchangeNumber
  }

  private func requireCurrent() throws {
    guard isCurrent else { throw HTTPConnectionClosed() }
  }

  /// Waits until enough output is sent; false if the connection is gone.
  private func waitUntilDrained() async -> Bool {
    await withUnsafeContinuation { continuation in connection.drainWaiters.append(continuation) }
  }
}
