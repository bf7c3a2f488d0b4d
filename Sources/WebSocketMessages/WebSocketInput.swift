/// A message or a control frame of the peer, whole and without its mask.
package enum WebSocketInput: Hashable, Sendable {
  /// The UTF-8 of a text message (RFC 6455, section 5.6).
  case text([UInt8])
  case binary([UInt8])
  /// A question that a Pong with the same content answers (section 5.5.2).
  case ping([UInt8])
  case pong([UInt8])
  /// The peer's Close frame; nil if it states no code (section 5.5.1). The last input.
  case close(code: UInt16?)
  /// A rule that was broken. The last input.
  case failed(WebSocketFailure)
}
