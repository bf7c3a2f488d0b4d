/// The server's side of one connection: it answers Pings and carries out the closing handshake (RFC 6455, section 7.1).
/// It does no input or output.
package struct WebSocketSession: Sendable {
  /// A message of the peer, or the end.
  package enum Event: Hashable, Sendable {
    case text([UInt8])
    case binary([UInt8])
    /// A Ping or a Pong: the peer lives.
    case alive
    /// The end: the peer's code, nil if it states none, or that of the failure.
    case closed(code: UInt16?)
  }

  /// The outcome of some bytes of the peer.
  package struct Outcome: Hashable, Sendable {
    package var events: [Event] = []
    /// The bytes to send; then the connection ends if `isOver`.
    package var bytes: [UInt8] = []
    /// Whether the server is to end the connection.
    package var isOver = false

    package init(events: [Event] = [], bytes: [UInt8] = [], isOver: Bool = false) {
      self.events = events
      self.bytes = bytes
      self.isOver = isOver
    }
  }

  private var parser: WebSocketFrameParser
  private var hasSentClose = false

  package init(maximumMessageByteCount: Int = 65_536) {
    parser = WebSocketFrameParser(maximumMessageByteCount: maximumMessageByteCount)
  }

  /// Takes bytes of the peer. Of several Pings among them only the last one is answered (section 5.5.3); messages that come
  /// after this side's Close are dropped.
  package mutating func receive(_ bytes: Span<UInt8>) -> Outcome {
    var outcome = Outcome()
    var question: [UInt8]?
    for input in parser.read(bytes) {
      switch input {
      case .text(let text): if !hasSentClose { outcome.events.append(.text(text)) }
      case .binary(let bytes): if !hasSentClose { outcome.events.append(.binary(bytes)) }
      case .ping(let content):
        question = content
        outcome.events.append(.alive)
      case .pong: outcome.events.append(.alive)
      case .close(let code):
        if let asked = question.take() { outcome.bytes += answer(asked) }
        outcome.bytes += close(code: code)
        outcome.events.append(.closed(code: code))
      case .failed(let failure):
        outcome.bytes += close(code: failure.rawValue)
        outcome.events.append(.closed(code: failure.rawValue))
        question = nil
      }
    }
    if let question { outcome.bytes += answer(question) }
    outcome.isOver = parser.isOver
    return outcome
  }

  /// Begins the end, or answers the peer's: the bytes to send, none if a Close was sent before. No frame may follow.
  package mutating func close(code: UInt16?, reason: String = "") -> [UInt8] {
    guard !hasSentClose else { return [] }
    hasSentClose = true
    return WebSocketFrameWriter.close(code: code, reason: reason)
  }

  private func answer(_ question: [UInt8]) -> [UInt8] {
    hasSentClose ? [] : WebSocketFrameWriter.pong(question)
  }
}
