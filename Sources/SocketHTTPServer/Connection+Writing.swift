import HTTPMessages

extension Connection {
  /// Makes output and sends it at once, unless other output is before it or a further request is waiting,
  /// whose answer may go out with it.
  func sendResponse(_ make: (inout [UInt8]) -> HTTPStreamFraming) -> HTTPStreamFraming {
    guard outbound.isEmpty, unread.isEmpty else {
      let framing = make(&outbound)
      scheduleFlush()
      return framing
    }
    // Taken out of the loop while it is in use, which needs no check of exclusive access.
    var output: [UInt8] = []
    swap(&output, &loop.scratch)
    let framing = make(&output)
    send(&output)
    output.removeAll(keepingCapacity: true)
    swap(&output, &loop.scratch)
    return framing
  }

  /// Adds output that is sent when the ready jobs have run.
  func enqueueOutput(_ make: (inout [UInt8]) -> Void) {
    make(&outbound)
    scheduleFlush()
  }

  /// Sends what it can of the output that waits, and tells those who wait for it.
  func flush() {
    while pendingByteCount > 0 {
      switch Socket.send(descriptor, outbound, from: outboundStart) {
      case .bytes(let count):
        outboundStart += count
        writeWindowByteCount += count
      case .wouldBlock: return waitForSocket()
      case .failed: return disconnect()
      }
    }
    outbound = []
    outboundStart = 0
    writeDeadline = nil
    resumeDrainWaiters(isOpen: true)
    if phase == .finishing { return startLingering() }
    continueReading()
    updateWatchedEvents()
  }

  /// Sends what the jobs of this turn have written.
  func flushAfterJobs() {
    isFlushScheduled = false
    if phase != .closed { flush() }
  }

  /// Tells the tasks that wait for output to be sent whether the connection still stands.
  func resumeDrainWaiters(isOpen: Bool) {
    guard !drainWaiters.isEmpty else { return }
    let waiters = drainWaiters
    drainWaiters = []
    for waiter in waiters { waiter.resume(returning: isOpen) }
  }

  private func scheduleFlush() {
    guard !isFlushScheduled, phase != .closed else { return }
    isFlushScheduled = true
    loop.connectionsToFlush.append(self)
  }

  /// Sends output, and keeps what the socket does not take.
  private func send(_ output: inout [UInt8]) {
    switch Socket.send(descriptor, output, from: 0) {
    case .bytes(let count) where count == output.count: return
    case .bytes(let count): outboundStart = count
    case .wouldBlock: break
    case .failed: return disconnect()
    }
    swap(&outbound, &output)
    waitForSocket()
  }

  /// Waits until the socket takes more output.
  private func waitForSocket() {
    if outboundStart > Self.highWaterByteCount {
      outbound.removeSubrange(..<outboundStart)
      outboundStart = 0
    }
    if pendingByteCount <= Self.highWaterByteCount { resumeDrainWaiters(isOpen: true) }
    if writeDeadline == nil {
      writeDeadline = loop.clock.now + loop.timeouts.write
      writeWindowByteCount = 0
    }
    updateWatchedEvents()
  }
}
