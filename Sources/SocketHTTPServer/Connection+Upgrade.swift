import EventLoops
import HTTPMessages

extension Connection {
  /// Lets the handler speak another protocol, and closes behind it.
  func upgrade(_ run: @Sendable (any HTTPUpgradedConnection) async throws -> Void) async {
    streamsUntilClose = true
    streamProgress = StreamProgress(takenBefore: takenByteCount)
    defer { streamProgress = nil }
    do {
      try await run(UpgradedConnection(connection: self, exchangeNumber: exchangeNumber))
    } catch {
      return cut(isChunked: false)
    }
    if phase == .responding { finish() }
  }

  /// Has the task that waits for input look again.
  func resumeInputWaiter() {
    assert(loop.events.isExclusive)
    inputWaiter.take()?.resume()
  }

  /// Takes the input that has come; nil if none has.
  fileprivate func takeInput() -> [UInt8]? {
    guard unreadStart < unread.count else { return nil }
    let input = unreadStart == 0 ? unread : Array(unread[unreadStart...])
    unread = []
    unreadStart = 0
    updateWatchedEvents()
    return input
  }
}

/// A connection of which a handler has the bytes, in both directions.
private struct UpgradedConnection: HTTPUpgradedConnection {
  let connection: Connection
  let exchangeNumber: Int

  private var writer: ConnectionBodyWriter {
    ConnectionBodyWriter(connection: connection, exchangeNumber: exchangeNumber, isChunked: false)
  }

  func write(_ bytes: [UInt8]) async throws { try await writer.write(bytes) }

  func waitUntilSent() async throws { try await writer.waitUntilSent() }

  func cut() { writer.cut() }

  func read() async throws -> [UInt8]? {
    try await connection.loop.events.runTask { try await readOnLoop() }
  }

  private func readOnLoop() async throws -> [UInt8]? {
    await EventLoop.giveWay()
    while connection.phase == .responding, connection.exchangeNumber == exchangeNumber {
      if let input = connection.takeInput() { return input }
      guard !connection.hasReadEnd, !Task.isCancelled else { return nil }
      await withTaskCancellationHandler {
        await withUnsafeContinuation { connection.inputWaiter = $0 }
      } onCancel: {
        // On whichever thread: the waiter is the loop's.
        connection.loop.events.perform { connection.resumeInputWaiter() }
      }
    }
    throw HTTPConnectionClosed()
  }
}
