import HTTPMessages

extension Connection {
  /// Reads once from the socket. The poller reports again all input that does not fit the buffer.
  func receive() {
    switch Socket.receive(descriptor, into: loop.readBuffer) {
    case .bytes(let count): received(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
    case .end: receivedEnd()
    case .wouldBlock: break
    case .failed: disconnect()
    }
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    switch phase {
    case .reading where unread.isEmpty:
      // The loop's buffer holds these bytes until the next socket is read, which is not before this returns.
      let input = bytes.bindMemory(to: UInt8.self)
      var position = 0
      parse(input.span, at: &position)
      if position < input.count, phase == .responding { unread = Array(input[position...]) }
    case .reading, .responding:
      // A peer that never lets the buffer run empty must not make it grow.
      var bytesSoFar: [UInt8] = []
      swap(&bytesSoFar, &unread)
      if unreadStart >= Self.unreadLimit {
        bytesSoFar.removeSubrange(..<unreadStart)
        unreadStart = 0
      }
      bytesSoFar.append(contentsOf: bytes)
      unread = bytesSoFar
      updateWatchedEvents()
      resumeInputWaiter()
    case .finishing, .lingering:
      discardedByteCount += bytes.count
      if discardedByteCount > Self.discardLimit { disconnect() }
    case .closed: break
    }
  }

  /// Handles the end of the peer's data; the peer may still read.
  private func receivedEnd() {
    hasReadEnd = true
    switch phase {
    case .reading where pendingByteCount == 0: disconnect()
    case .reading: finish()
    case .responding, .finishing:
      updateWatchedEvents()
      resumeInputWaiter()
    case .lingering: disconnect()
    case .closed: break
    }
  }

  /// Reads the input that came while the last request was being answered.
  func parseUnread() {
    let input = unread
    var position = unreadStart
    parse(input.span, at: &position)
    unreadStart = position
    if position == input.count {
      unread = []
      unreadStart = 0
    }
    if phase == .reading, hasReadEnd { pendingByteCount == 0 ? disconnect() : finish() }
  }

  /// Feeds the parser until the input ends or the parser has a whole request, and then begins to answer the request.
  private func parse(_ input: Span<UInt8>, at position: inout Int) {
    while true {
      switch parser.next(in: input, at: &position) {
      case .needsMore:
        do throws(HTTPRequestRejection) {
          try keepContent()
          return startReadTimer()
        } catch {
          return reject(error)
        }
      case .expectsContinue: enqueueOutput { $0.append(contentsOf: HTTPResponseWriter.continueResponse) }
      case .request(let received):
        guard holdsInMemory(received.request.body.count) else {
          return beginSpooled(received, inputEnd: input.count, at: &position)
        }
        if !received.keepsConnectionOpen { position = input.count }
        return begin(received)
      case .rejected(let rejection): return reject(rejection)
      }
    }
  }

  /// Begins to answer a request whose content is in a file, or is to be, since memory has no room for it.
  private func beginSpooled(_ received: HTTPReceivedRequest, inputEnd: Int, at position: inout Int) {
    if !received.keepsConnectionOpen { position = inputEnd }
    do throws(HTTPRequestRejection) {
      begin(try spooled(received))
    } catch {
      position = inputEnd
      reject(error, isHead: received.request.method == .head)
    }
  }

  /// Counts content of the arriving request that is in memory in the loop's budget; false, without counting it, if it
  /// belongs into a file: the request has one, or has more content than most may have, or the budget has no room.
  @inline(__always)
  func holdsInMemory(_ byteCount: Int) -> Bool {
    spool == nil && byteCount <= loop.limits.bodyByteCount && countContent(byteCount)
  }

  /// Counts content of the arriving request in the loop's budget; false, without counting it, if the budget has no room.
  func countContent(_ byteCount: Int) -> Bool {
    loop.contentBudget.count(contentByteCount: byteCount, as: &countedContentByteCount)
  }

  /// Starts the time in which the rest of a request has to arrive.
  private func startReadTimer() {
    if parser.isReadingBody {
      let progress = parser.receivedBodyByteCount &- bodyWindowStart
      guard readTimer != .body || progress >= HTTPServerTimeouts.progressByteCount else { return }
      readTimer = .body
      bodyWindowStart = parser.receivedBodyByteCount
      readDeadline = loop.now + loop.timeouts.body
    } else if !parser.isBetweenRequests, readTimer != .head {
      readTimer = .head
      readDeadline = loop.now + loop.timeouts.head
    }
  }
}
