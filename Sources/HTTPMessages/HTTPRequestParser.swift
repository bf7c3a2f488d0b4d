/// A result of the parser.
package enum HTTPParserEvent: Sendable {
  /// All input is consumed, and the request is not complete.
  case needsMore
  /// The client waits for a 100 (Continue) before it sends the content; it is due at once.
  case expectsContinue
  /// A whole request. The input after it is not consumed.
  case request(HTTPReceivedRequest)
  /// The request is refused, and further input on this connection cannot be understood.
  case rejected(HTTPRequestRejection)
}

/// A whole request, with the facts about its connection that the answer depends on.
package struct HTTPReceivedRequest: Sendable {
  package var request: HTTPRequest
  package var version: HTTPVersion
  /// Whether the client lets the connection stay open after the response (RFC 9112, section 9.3).
  package var keepsConnectionOpen: Bool
}

/// Finds requests in the bytes of one connection (RFC 9110, RFC 9112).
///
/// It does no input or output, keeps nothing between requests, and gives the same results however
/// the bytes are cut. It refuses everything that the RFC lets a server refuse because servers disagree on it.
package struct HTTPRequestParser: Sendable {
  private enum Stage {
    case head
    case content(remaining: Int)
    case chunks
    case closed
  }

  private let limits: HTTPRequestLimits
  /// The `remoteAddress` of the requests.
  package let remoteAddress: String?
  private var stage = Stage.head
  private var head = RequestHead()
  private var body: [UInt8] = []
  private var chunks = ChunkedBodyDecoder()
  /// The most bytes of content that the arriving request may have.
  private var bodyLimit = 0
  /// The number of content bytes of the arriving request that `takeBody` has returned.
  private var takenBodyByteCount = 0
  /// The number of content bytes that have arrived so far, over all requests.
  package private(set) var receivedBodyByteCount = 0

  /// Makes a parser for a new connection, whose requests get `remoteAddress`.
  package init(limits: HTTPRequestLimits = HTTPRequestLimits(), remoteAddress: String? = nil) {
    self.limits = limits
    self.remoteAddress = remoteAddress
  }

  /// The number of content bytes of the arriving request that the parser holds.
  package var bodyByteCount: Int { body.count }

  /// Whether the content of the request that is arriving, or was complete last, may be longer than that of most requests.
  package var mayHaveLongBody: Bool { bodyLimit > limits.bodyByteCount }

  /// Takes the content of the arriving request that the parser holds. The limits still count it, and the request that
  /// `next` returns has only the content that arrives later.
  package mutating func takeBody() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &body)
    takenBodyByteCount += taken.count
    return taken
  }

  /// Whether no part of a request has arrived since the last one was complete.
  package var isBetweenRequests: Bool {
    if case .head = stage { return head.isEmpty }
    return false
  }

  /// Whether the head is complete and content is still to arrive.
  package var isReadingBody: Bool {
    switch stage {
    case .content, .chunks: true
    case .head, .closed: false
    }
  }

  /// Whether the request that is arriving, or was refused, is a HEAD, whose answer carries no content.
  package var isHeadRequest: Bool { head.isHead }

  /// Consumes input from `position` on, up to the next event.
  ///
  /// After a rejection, and after a request that closes the connection, all input is consumed unread.
  package mutating func next(in input: Span<UInt8>, at position: inout Int) -> HTTPParserEvent {
    do throws(HTTPRequestRejection) {
      return try advance(input, at: &position)
    } catch {
      position = input.count
      body = []
      takenBodyByteCount = 0
      stage = .closed
      return .rejected(error)
    }
  }

  /// Drops the arriving request; all further input is consumed unread.
  package mutating func close() {
    head = RequestHead()
    body = []
    takenBodyByteCount = 0
    chunks = ChunkedBodyDecoder()
    stage = .closed
  }

  private mutating func advance(
    _ input: Span<UInt8>, at position: inout Int
  ) throws(HTTPRequestRejection) -> HTTPParserEvent {
    switch stage {
    case .head:
      guard try head.read(input, at: &position, limits: limits), let requestLine = head.requestLine
      else { return .needsMore }
      bodyLimit = limits.bodyByteCount(of: requestLine)
      let framing = try head.framing(of: requestLine, bodyLimit: bodyLimit)
      return try beginBody(framing, requestLine, input, at: &position)
    case .content(let remaining):
      return readContent(remaining, input, at: &position)
    case .chunks:
      let bodyByteCount = body.count
      let isComplete = try chunks.decode(
        input, at: &position, into: &body, limits: limits, bodyLimit: bodyLimit - takenBodyByteCount)
      receivedBodyByteCount &+= body.count - bodyByteCount
      return isComplete ? finish() : .needsMore
    case .closed:
      position = input.count
      return .needsMore
    }
  }

  private mutating func beginBody(
    _ framing: BodyFraming, _ requestLine: RequestLine, _ input: Span<UInt8>, at position: inout Int
  ) throws(HTTPRequestRejection) -> HTTPParserEvent {
    switch framing {
    case .length(0): return finish()
    case .length(let length): stage = .content(remaining: length)
    case .chunked: stage = .chunks
    }
    if head.expectsContinue(requestLine.version) { return .expectsContinue }
    return try advance(input, at: &position)
  }

  private mutating func readContent(
    _ remaining: Int, _ input: Span<UInt8>, at position: inout Int
  ) -> HTTPParserEvent {
    let count = min(remaining, input.count - position)
    // The pointer is used only within the closure.
    input.extracting(position..<position + count).withUnsafeBufferPointer { body.append(contentsOf: $0) }
    position += count
    receivedBodyByteCount &+= count
    guard count == remaining else {
      stage = .content(remaining: remaining - count)
      return .needsMore
    }
    return finish()
  }

  private mutating func finish() -> HTTPParserEvent {
    guard let requestLine = head.requestLine else { return .needsMore }
    let keepsConnectionOpen = head.keepsConnectionOpen(requestLine.version)
    var request = HTTPRequest(
      method: requestLine.method, path: requestLine.target.path, query: requestLine.target.query,
      fields: head.fields(of: requestLine), body: body, remoteAddress: remoteAddress)
    request.version = requestLine.version
    head = RequestHead()
    body = []
    takenBodyByteCount = 0
    chunks = ChunkedBodyDecoder()
    stage = keepsConnectionOpen ? .head : .closed
    return .request(
      HTTPReceivedRequest(
        request: request, version: requestLine.version, keepsConnectionOpen: keepsConnectionOpen))
  }
}
