import HTTPMessages

/// Writes a handler's stream to the connection, as long as the response is the connection's current one.
struct ConnectionBodyWriter: HTTPBodyWriter {
  let connection: Connection
  let exchangeNumber: Int
  let isChunked: Bool

  func write(_ bytes: [UInt8]) async throws {
    if connection.loop.events.isCurrent {
      try await writeOnLoop(bytes)
    } else {
      // An unstructured task that the handler starts does not inherit the handler's executor.
      try await withTaskExecutorPreference(connection.loop.events) { try await writeOnLoop(bytes) }
    }
  }

  private func writeOnLoop(_ bytes: [UInt8]) async throws {
    guard connection.phase == .responding, connection.exchangeNumber == exchangeNumber else {
      throw HTTPConnectionClosed()
    }
    guard !bytes.isEmpty else { return }
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

  /// Waits until enough output is sent; false if the connection is gone.
  private func waitUntilDrained() async -> Bool {
    await withUnsafeContinuation { continuation in connection.drainWaiters.append(continuation) }
  }
}
