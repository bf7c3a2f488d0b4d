import EventLoops

extension ServerLoop {
  /// Asks to stop gracefully, from any thread; a second call does nothing.
  ///
  /// - Parameter timeout: The time that running requests may take; nil for the configured shutdown time-out.
  func requestStop(within timeout: Duration? = nil) {
    let timeout = timeout?.nanoseconds ?? timeouts.shutdown
    events.perform { self.beginStop(within: timeout) }
  }

  /// Waits until the loop has ended.
  func waitUntilStopped() async {
    await events.waitUntilEnded()
  }

  /// Whether the loop is stopping, so that a new request is the last on its connection.
  var isStopping: Bool { stopDeadline != nil }

  /// Whether no connection and no request is left, or their time is over.
  var isStopped: Bool {
    guard let stopDeadline else { return false }
    if openConnectionCount == 0, runningRequestCount == 0 { return true }
    return now >= stopDeadline + Self.cancellationGrace
  }

  private func beginStop(within timeout: Int64) {
    guard stopDeadline == nil else { return }
    stopDeadline = now + timeout
    // For a client in the queue the connection is established, so it may have sent a request.
    resumeAccepting()
    acceptConnections(limit: 4096)
    closeListener()
    endSpareWorkers()
    for index in connections.indices { connections[index]?.beginStop() }
  }

  func cutConnections() {
    for index in connections.indices { connections[index]?.disconnect() }
  }

  /// The time that canceled tasks may take to return, in nanoseconds; one that takes longer is abandoned.
  private static let cancellationGrace: Int64 = 1_000_000_000
}
