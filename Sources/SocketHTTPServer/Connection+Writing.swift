import HTTPMessages

extension Connection {
  /// Adds output. The loop sends it when every request that this turn found ready has been answered.
  ///
  /// A peer on the same machine wakes for the first of the answers and finds the others without sleeping in
  /// between, which spares both sides a tenth of their work under load.
  func enqueueOutput(_ make: (inout [UInt8]) -> Void) {
    assert(loop.events.isExclusive)
    var output = takeOutbound()
    if output.capacity == 0 { output = loop.takeSpareBuffer() }
    make(&output)
    outbound = output
    scheduleFlush()
  }

  /// Sends as much of the waiting output as the socket takes, up to a turn's portion, and resumes the tasks that wait for
  /// it.
  func flush() {
    assert(loop.events.isExclusive)
    var portion = Self.portionByteCount
    while pendingByteCount > 0 {
      guard portion > 0 else { return waitForTurn() }
      switch Socket.send(descriptor, outbound, from: outboundStart, atMost: portion) {
      case .bytes(let count):
        outboundStart += count
        sentByteCount &+= count
        portion -= count
      case .wouldBlock: return waitForSocket()
      case .failed: return disconnect()
      }
    }
    giveOutboundBack()
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

  /// Lets other connections use the buffer of the output, all of which is sent. If a handler waits to go on, the
  /// connection keeps a buffer too large to share: it would be allocated again for every piece of a long answer.
  private func giveOutboundBack() {
    outboundStart = 0
    guard !drainWaiters.isEmpty, outbound.capacity > ServerLoop.spareBufferByteCount else {
      return loop.reuse(takeOutbound())
    }
    var output = takeOutbound()
    output.removeAll(keepingCapacity: true)
    outbound = output
  }

  /// Sends the output that the jobs of this turn have written.
  func flushAfterJobs() {
    isFlushScheduled = false
    if phase != .closed { flush() }
  }

  /// Resumes the tasks that wait for output to be sent; each learns whether the connection is still open.
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
    if writeDeadline == nil { startWriteTimer() }
    streamProgress?.setWaiting(true, at: loop.now)
    keepRest()
  }

  /// Leaves the rest to the loop's next turn, in which other connections get theirs: the socket would take more.
  private func waitForTurn() {
    streamProgress?.setWaiting(false, at: loop.now)
    keepRest()
  }

  private func keepRest() {
    // Half of it at least, so that each byte of a large answer is moved once on the average.
    if outboundStart > max(Self.highWaterByteCount, outbound.count / 2) {
      outbound = Array(outbound[outboundStart...])
      outboundStart = 0
    }
    if pendingByteCount <= Self.highWaterByteCount { resumeDrainWaiters(isOpen: true) }
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
