/// The reason for which a connection has to be failed, as the status code of its Close frame (RFC 6455, section 7.4.1).
package enum WebSocketFailure: UInt16, Error, Hashable, Sendable {
  /// The peer broke a rule of the protocol.
  case protocolError = 1002
  /// A text is not UTF-8.
  case invalidText = 1007
  /// A message is longer than the receiver takes.
  case tooBig = 1009
}
