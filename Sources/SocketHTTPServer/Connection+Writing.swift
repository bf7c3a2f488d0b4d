import HTTPMessages

extension Connection {
  /// Adds output. The loop sends it when every request that this turn found ready has been answered.
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

  /// Sends as much of the waiting output as the socket takes, and resumes the tasks that wait for it.
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

  /// Moves the output buffer out; the caller must store it back.
  ///
  /// A buffer that is changed in place is checked for exclusive access at every use, dozens of times in a request.
  private func takeOutbound() -> [UInt8] {
    var output: [UInt8] = []
    swap(&output, &outbound)
    return output
  }

  /// Sends the output that the jobs of this turn have written.
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

  /// The bytes that the peer has taken. Bytes that the system holds for the peer do not count: they can be megabytes,
  /// which a slow peer takes for minutes before the system takes more.
  var takenByteCount: Int { sentByteCount &- Socket.unacknowledgedByteCount(descriptor) }
}
