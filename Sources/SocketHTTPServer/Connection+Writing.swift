import HTTPMessages

extension Connection {
  /// Adds output, which is sent when everything that this turn of the loop found ready has been answered.
  ///
  /// A peer on the same machine wakes for the first of the answers and finds the others without sleeping in
  /// between, which spares both sides a tenth of their work under load.
  func enqueueOutput(_ make: (inout [UInt8]) -> Void) {
    var output = takeOutbound()
    if output.isEmpty { output = loop.takeSpareBuffer() }
    make(&output)
    outbound = output
    scheduleFlush()
  }

  /// Sends what it can of the output that waits, and tells those who wait for it.
  func flush() {
    while pendingByteCount > 0 {
      switch Socket.send(descriptor, outbound, from: outboundStart) {
      case .bytes(let count):
        outboundStart += count
        sentByteCount &+= count
      case .wouldBlock: return waitForSocket()
      case .failed: return disconnect()
      }
    }
    loop.reuse(takeOutbound())
    outboundStart = 0
    writeDeadline = nil
    streamProgress?.setWaiting(false, at: loop.now)
    resumeDrainWaiters(isOpen: true)
    if phase == .finishing { return startLingering() }
    continueReading()
    updateWatchedEvents()
  }

  /// Leaves the connection without output, for who puts it back when it has grown: what is changed in place is checked
  /// for exclusive access whenever it is used, which a request does dozens of times.
  private func takeOutbound() -> [UInt8] {
    var output: [UInt8] = []
    swap(&output, &outbound)
    return output
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

  /// Waits until the socket takes more output.
  private func waitForSocket() {
    if outboundStart > Self.highWaterByteCount {
      outbound = Array(outbound[outboundStart...])
      outboundStart = 0
    }
    if pendingByteCount <= Self.highWaterByteCount { resumeDrainWaiters(isOpen: true) }
    if writeDeadline == nil { startWriteTimer() }
    streamProgress?.setWaiting(true, at: loop.now)
    updateWatchedEvents()
  }

  /// Starts the time in which the peer has to take more.
  func startWriteTimer() {
    writeDeadline = loop.now + loop.timeouts.write
    writeWindowStart = takenByteCount
  }

  /// The bytes that the peer has taken. What the system holds for it is not: that can be megabytes, of which a slow
  /// peer takes for minutes before the system takes more.
  var takenByteCount: Int { sentByteCount &- Socket.unacknowledgedByteCount(descriptor) }
}
