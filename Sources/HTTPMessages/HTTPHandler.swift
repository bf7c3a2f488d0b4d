/// Turns requests into responses. It is all that the server knows of the service.
package protocol HTTPHandler: Sendable {
  /// Answers one request. Never throws: a failure is a response too.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// Answers bytes that are not an acceptable request. The connection closes after the answer.
  ///
  /// - Parameter remoteAddress: The address of the peer as text, without its port; nil if it has none.
  func respond(to rejection: HTTPRequestRejection, from remoteAddress: String?) -> HTTPResponse
}
