@testable import HTTPMessages

/// The output of a parser for the bytes of a connection.
struct RequestTranscript {
  /// Offsets are counted from the first byte of the connection.
  enum Event: Equatable {
    case expectsContinue(offset: Int)
    case request(ReceivedRequest, end: Int)
    case rejected(HTTPRequestRejection)
  }

  private(set) var events: [Event] = []

  /// The content that was taken of the arriving request; nil if it stays with the parser.
  private var taken: [UInt8]?

  /// - Parameter takesBody: Whether the content is taken from the parser after each piece.
  init(of pieces: [[UInt8]], limits: HTTPRequestLimits, takesBody: Bool = false) {
    taken = takesBody ? [] : nil
    var parser = HTTPRequestParser(limits: limits)
    var offset = 0
    for piece in pieces {
      read(piece, at: offset, &parser, limits)
      offset += piece.count
    }
  }

  private mutating func read(
    _ piece: [UInt8], at offset: Int, _ parser: inout HTTPRequestParser, _ limits: HTTPRequestLimits
  ) {
    var position = 0
    while true {
      let before = position
      let event = parser.next(in: piece.span, at: &position)
      require(position >= before && position <= piece.count, "consumed \(before) to \(position)")
      require(parser.bodyByteCount <= limits.bodyByteCount, "holds \(parser.bodyByteCount) bytes of content")
      switch event {
      case .needsMore:
        require(position == piece.count, "needs more than what it has not consumed")
        if taken != nil { taken? += parser.takeBody() }
        return
      case .expectsContinue:
        events.append(.expectsContinue(offset: offset + position))
      case .rejected(let rejection):
        require(position == piece.count, "goes on behind a rejection")
        require(400...599 ~= rejection.status.code, "rejects with \(rejection.status.code)")
        events.append(.rejected(rejection))
      case .request(var received):
        if let before = taken {
          received.request.body = before + received.request.body
          taken = []
        }
        checkLimits(received.request, limits)
        events.append(.request(ReceivedRequest(received), end: offset + position))
      }
    }
  }

  private func checkLimits(_ request: HTTPRequest, _ limits: HTTPRequestLimits) {
    require(request.body.count <= limits.bodyByteCount, "content of \(request.body.count) bytes")
    // An absolute target's authority becomes a `Host` of its own if there is none.
    require(request.fields.count <= limits.fieldCount + 1, "\(request.fields.count) fields")
    require(
      request.fields.bytes.count <= limits.headByteCount + limits.requestLineByteCount,
      "a head of \(request.fields.bytes.count) bytes")
    require(
      request.path.utf8.first == UInt8(ascii: "/") || request.path == "*", "the path \(request.path)")
  }
}
