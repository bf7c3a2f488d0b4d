import HTTPMessages

extension Connection {
  /// Hands a request to the handler, in a task on this loop.
  func begin(_ received: consuming HTTPReceivedRequest) {
    phase = .responding
    readTimer = .none
    readDeadline = .max
    exchangeNumber &+= 1
    loop.runningRequestCount += 1
    let context = HTTPResponseContext(
      version: received.version, answersHead: received.request.method == .head,
      keepsConnectionOpen: received.keepsConnectionOpen)
    let exchange = RequestWorker.Exchange(
      connection: self, request: received.request, context: context, contentByteCount: countedContentByteCount
    )
    countedContentByteCount = 0
    task = loop.takeWorker().answer(exchange)
  }

  /// Answers bytes that are not an acceptable request, then closes.
  ///
  /// - Parameter isHead: Whether the bytes are a HEAD request, whose answer carries no content; nil if only the parser
  ///   knows.
  func reject(_ rejection: HTTPRequestRejection, isHead: Bool? = nil) {
    let context = HTTPResponseContext(
      version: .http11, answersHead: isHead ?? parser.isHeadRequest, keepsConnectionOpen: false)
    let response = loop.handler.respond(to: rejection, from: parser.remoteAddress)
    guard case .complete = write(response, in: context) else { return disconnect() }
    finish()
  }

  /// Lets the handler answer a request, and sends the answer. The connection may close in the meantime.
  ///
  /// - Returns: The rest of the work if the answer is a stream or another protocol.
  func answer(_ request: HTTPRequest, in context: HTTPResponseContext) async -> (@Sendable () async -> Void)?
  {
    let response = await loop.handler.respond(to: request)
    assert(loop.events.isExclusive)
    guard phase == .responding else { return nil }
    var context = context
    if loop.isStopping || hasReadEnd && unread.isEmpty { context.keepsConnectionOpen = false }
    let framing = write(response, in: context)
    if case .complete = framing {
      endExchange(keepsConnectionOpen: context.keepsConnectionOpen)
      return nil
    }
    switch response.body {
    case .stream(let produce):
      return { [keepsConnectionOpen = context.keepsConnectionOpen] in
        await self.stream(produce, framing: framing, keepsConnectionOpen: keepsConnectionOpen)
      }
    case .upgrade(let run): return { await self.upgrade(run) }
    case .none, .bytes:
      disconnect()
      return nil
    }
  }

  /// Lets the handler write the content, and ends it as its framing demands.
  private func stream(
    _ produce: @Sendable (any HTTPBodyWriter) async throws -> Void, framing: HTTPStreamFraming,
    keepsConnectionOpen: Bool
  ) async {
    var isChunked = false
    if case .chunks = framing { isChunked = true }
    streamsUntilClose = !isChunked
    streamProgress = StreamProgress(takenBefore: takenByteCount)
    defer { streamProgress = nil }
    do {
      try await produce(
        ConnectionBodyWriter(connection: self, exchangeNumber: exchangeNumber, isChunked: isChunked))
    } catch {
      return cut(isChunked: isChunked)
    }
    guard phase == .responding else { return }
    if isChunked { enqueueOutput { HTTPResponseWriter.appendLastChunk(to: &$0) } }
    endExchange(keepsConnectionOpen: keepsConnectionOpen && isChunked)
  }

  /// Begins the next request after a response, or closes.
  private func endExchange(keepsConnectionOpen: Bool) {
    guard phase == .responding else { return }
    task = nil
    guard keepsConnectionOpen, !loop.isStopping else { return finish() }
    phase = .reading
    readTimer = .idle
    readDeadline = loop.now + loop.timeouts.idle
    continueReading()
  }

  /// Begins the next request that has already arrived, unless too much output waits.
  func continueReading() {
    guard phase == .reading else { return }
    if pendingByteCount <= Self.highWaterByteCount, !unread.isEmpty || hasReadEnd { parseUnread() }
    updateWatchedEvents()
  }

  /// Queues a response's head, and its content if that is complete, for sending.
  private func write(_ response: HTTPResponse, in context: HTTPResponseContext) -> HTTPStreamFraming {
    var framing = HTTPStreamFraming.complete
    enqueueOutput { [loop] output in
      framing = HTTPResponseWriter.append(response, in: context, date: loop.date, to: &output)
    }
    return framing
  }
}
