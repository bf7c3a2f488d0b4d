@testable import WebSocketMessages

/// Frames of a WebSocket's client, in pieces, against the plain reading of `FrameModel`; and a session's answers.
enum FramesTarget {
  /// Short enough that a small input holds a message that is too long.
  private static let limits = [40, 65_536]

  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let limit = limits[input.choose(below: limits.count)]
    let cuts = input.chooseCuts()
    let bytes = input.rest
    let expected = FrameModel(bytes, limit: limit, takesFramesWithoutMask: isFaulty).inputs
    var parser = WebSocketFrameParser(maximumMessageByteCount: limit)
    let inputs = bytes.pieces(cuts).flatMap { parser.read($0.span) }
    require(inputs == expected, "\(inputs), expected \(expected)")
    checkSession(bytes.pieces(cuts), inputs: inputs, limit: limit)
  }

  /// A session gives the messages, answers the end with one Close frame, and says so.
  private static func checkSession(_ pieces: [[UInt8]], inputs: [WebSocketInput], limit: Int) {
    var session = WebSocketSession(maximumMessageByteCount: limit)
    var events: [WebSocketSession.Event] = []
    var isOver = false
    var closeCount = 0
    for piece in pieces {
      let outcome = session.receive(piece.span)
      require(!isOver || outcome.events.isEmpty && outcome.bytes.isEmpty, "goes on after its end")
      events += outcome.events
      isOver = outcome.isOver
      closeCount += closes(outcome.bytes)
    }
    let expected = inputs.map { input -> WebSocketSession.Event in
      switch input {
      case .text(let text): .text(text)
      case .binary(let bytes): .binary(bytes)
      case .ping, .pong: .alive
      case .close(let code): .closed(code: code)
      case .failed(let failure): .closed(code: failure.rawValue)
      }
    }
    require(events == expected, "\(events), expected \(expected)")
    let ends = if case .closed = events.last { true } else { false }
    require(isOver == ends && closeCount == (ends ? 1 : 0), "\(closeCount) Close frames, over: \(isOver)")
  }

  /// The Close frames among frames of the server, which are all short here.
  private static func closes(_ bytes: [UInt8]) -> Int {
    var rest = bytes[...]
    var count = 0
    while let first = rest.popFirst(), let length = rest.popFirst() {
      require(length <= 125 && rest.count >= Int(length), "a control frame of \(length) bytes")
      if first == 0x88 { count += 1 }
      rest = rest.dropFirst(Int(length))
    }
    return count
  }
}
