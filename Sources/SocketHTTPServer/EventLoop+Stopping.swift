extension EventLoop {
  /// Asks the loop to stop gracefully, from any thread.
  ///
  /// - Parameter timeout: How long what still runs may take; nil for the configured shutdown time-out.
  func requestStop(within timeout: Duration? = nil) {
    let request = StopRequest(timeout: timeout?.nanoseconds ?? timeouts.shutdown)
    inbox.withLock { $0.request(request) }
  }

  /// Returns when the loop has ended.
  func waitUntilStopped() async {
    await withCheckedContinuation { continuation in
      inbox.withLock { $0.waitForClose(continuation) }
    }
  }

  /// Whether new requests are the last on their connections.
  var isStopping: Bool { stopDeadline != nil }

  /// Whether there is nothing left to serve, or nothing more to wait for.
  var isStopped: Bool {
    guard let stopDeadline else { return false }
    if openConnectionCount == 0, runningTaskCount == 0 { return true }
    return clock.now >= stopDeadline + Self.cancellationGrace
  }

  func beginStop(_ request: StopRequest) {
    stopDeadline = clock.now + request.timeout
    // Who is in the queue has been told that the connection stands, and may have sent a request.
    resumeAccepting()
    acceptConnections(limit: 4096)
    closeListener()
    for index in connections.indices { connections[index]?.beginStop() }
  }

  func cutConnections() {
    for index in connections.indices { connections[index]?.disconnect() }
  }

  /// How long cancelled tasks may take to return; one that takes longer is abandoned.
  private static let cancellationGrace: Int64 = 1_000_000_000
}
