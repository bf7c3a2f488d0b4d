import Glibc
import HTTPMessages

extension Connection {
  /// Sends the rest of the output, then closes in stages (RFC 9112, section 9.6).
  ///
  /// When a socket with unread input is closed, the system sends a reset. The reset can take the response away from the
  /// client before the client has read it.
  func finish() {
    assert(loop.events.isExclusive)
    guard phase != .closed else { return }
    phase = .finishing
    readTimer = .none
    readDeadline = .max
    task = nil
    dropInput()
    if pendingByteCount == 0 {
      startLingering()
    } else {
      updateWatchedEvents()
    }
  }

  /// Half-closes, and waits for the peer to close.
  func startLingering() {
    guard !hasReadEnd else { return disconnect() }
    phase = .lingering
    readTimer = .lingering
    readDeadline = loop.now + loop.timeouts.lingering
    shutdown(descriptor, Int32(SHUT_WR))
    updateWatchedEvents()
  }

  /// Ends a response that cannot be completed so that the client sees that it is not complete.
  func cut(isChunked: Bool) {
    guard phase == .responding else { return }
    task = nil
    if isChunked {
      // Without the last chunk, the end of the connection shows that content is missing.
      finish()
    } else {
      disconnect()
    }
  }

  /// Closes at once; a handler that is at work is canceled, and its writes fail.
  ///
  /// The peer sees a reset if an answer is cut short. After an orderly close, an answer that ends with the connection
  /// would look complete, and the system would go on sending the rest of it, however slow the peer is.
  func disconnect() {
    assert(loop.events.isExclusive)
    guard phase != .closed else { return }
    if pendingByteCount > 0 || phase == .responding && streamsUntilClose {
      Socket.resetOnClose(descriptor)
    }
    phase = .closed
    loop.events.unwatch(descriptor)
    close(descriptor)
    loop.removeConnection(descriptor)
    task?.cancel()
    task = nil
    resumeDrainWaiters(isOpen: false)
    resumeInputWaiter()
    outbound = []
    outboundStart = 0
    dropInput()
  }

  /// Drops input that has not been handed to a handler.
  private func dropInput() {
    unread = []
    unreadStart = 0
    parser.close()
    endSpool()
    loop.contentBudget.release(countedContentByteCount)
    countedContentByteCount = 0
  }

  /// Closes if no request is being answered or arriving; otherwise the next response is the last.
  func beginStop() {
    guard phase == .reading else { return }
    if parser.isBetweenRequests, pendingByteCount == 0 { receive() }
    if phase == .reading, parser.isBetweenRequests { pendingByteCount == 0 ? disconnect() : finish() }
  }

  /// Acts on the deadlines that have passed.
  func checkDeadlines() {
    let now = loop.now
    if let writeDeadline {
      if takenByteCount - writeWindowStart >= HTTPServerTimeouts.progressByteCount {
        startWriteTimer()
      } else if now >= writeDeadline {
        return disconnect()
      }
    }
    let timeouts = loop.timeouts
    if let streamProgress,
      streamProgress.isTooSlow(
        timeouts.streamRate, grace: timeouts.streamGrace, now: now, taken: takenByteCount)
    {
      return disconnect()
    }
    if now >= readDeadline { readDeadlinePassed(now) }
  }

  private func readDeadlinePassed(_ now: Int64) {
    switch readTimer {
    case .head where !parser.isBetweenRequests, .body: reject(.tooSlow)
    // The last answer is not sent yet. The write time-out limits how long that may take.
    case .idle where pendingByteCount > 0: readDeadline = now + loop.timeouts.idle
    case .head, .idle, .lingering: disconnect()
    case .none: readDeadline = .max
    }
  }
}
