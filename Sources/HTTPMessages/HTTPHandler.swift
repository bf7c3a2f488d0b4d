/// Turns requests into responses; the server's only view of what it serves.
package protocol HTTPHandler: Sendable {
  /// Answers one request. Never throws: a failure is a response too.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// The answer to bytes that are not a request the server accepts. The connection closes after it.
  ///
  /// - Parameter remoteAddress: The address of the peer as text, without its port; nil where there is none.
  func respond(to rejection: HTTPRequestRejection, from remoteAddress: String?) -> HTTPResponse
}
