/// Turns requests into responses; the server's only view of what it serves.
package protocol HTTPHandler: Sendable {
  /// Answers one request. Never throws: a failure is a response too.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// The answer to bytes that are not a request the server accepts. The connection closes after it.
  func respond(to rejection: HTTPRequestRejection) -> HTTPResponse
}
