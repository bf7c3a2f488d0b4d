import EventLoops

extension ServerLoop {
  /// Asks to stop gracefully, from any thread; nothing happens when a stop was asked for before.
  ///
  /// - Parameter timeout: How long what still runs may take; nil for the configured shutdown time-out.
  func requestStop(within timeout: Duration? = nil) {
    let timeout = timeout?.nanoseconds ?? timeouts.shutdown
    events.perform { self.beginStop(within: timeout) }
  }

  /// Returns when the loop has ended.
  func waitUntilStopped() async {
    await events.waitUntilEnded()
  }

  /// Whether new requests are the last on their connections.
  var isStopping: Bool { stopDeadline != nil }

  /// Whether there is nothing left to serve, or nothing more to wait for.
  var isStopped: Bool {
    guard let stopDeadline else { return false }
    if openConnectionCount == 0, runningRequestCount == 0 { return true }
    return now >= stopDeadline + Self.cancellationGrace
  }

  private func beginStop(within timeout: Int64) {
    guard stopDeadline == nil else { return }
    stopDeadline = now + timeout
    // Who is in the queue has been told that the connection stands, and may have sent a request.
    resumeAccepting()
    acceptConnections(limit: 4096)
    closeListener()
    endSpareWorkers()
    for index in connections.indices { connections[index]?.beginStop() }
  }

  func cutConnections() {
    for index in connections.indices { connections[index]?.disconnect() }
  }

  /// How long canceled tasks may take to return; one that takes longer is abandoned.
  private static let cancellationGrace: Int64 = 1_000_000_000
}
