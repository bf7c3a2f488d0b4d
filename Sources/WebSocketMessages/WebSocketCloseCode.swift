/// The status codes of Close frames (RFC 6455, section 7.4; the IANA registry of WebSocket Close Code Numbers).
package enum WebSocketCloseCode {
  /// The purpose of the connection is fulfilled.
  package static let normal: UInt16 = 1000
  /// The server stops.
  package static let goingAway: UInt16 = 1001
  /// The message breaks a rule of the service, or a limit.
  package static let policyViolation: UInt16 = 1008

  /// Whether a peer may send the code. Some stand for the lack of a Close frame, and never come in one.
  static func maySend(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// The code in a Close frame's content; nil for no content.
  ///
  /// - Throws: `.protocolError` for half a code or one that no peer may send, `.invalidText` for a reason that is not UTF-8.
  static func code(of content: [UInt8]) throws(WebSocketFailure) -> UInt16? {
    guard !content.isEmpty else { return nil }
    guard content.count >= 2 else { throw .protocolError }
    let code = UInt16(content[0]) << 8 | UInt16(content[1])
    guard maySend(code) else { throw .protocolError }
    var reason = UTF8Progress()
    for byte in content.dropFirst(2) {
      guard reason.take(byte) else { throw .invalidText }
    }
    guard reason.isWhole else { throw .invalidText }
    return code
  }
}
