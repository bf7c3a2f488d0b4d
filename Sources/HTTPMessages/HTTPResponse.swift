/// A handler's answer. The server adds `Date`, the framing fields and `Connection`.
package struct HTTPResponse: Sendable {
  package var status: HTTPStatus
  package var fields: HTTPFields
  package var body: HTTPResponseBody

  package init(status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: HTTPResponseBody = .none) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}

/// A response's content, or the next use of the connection.
package enum HTTPResponseBody: Sendable {
  /// No content. Sent with `Content-Length: 0`, except when the status forbids it (1xx, 204, 304).
  case none
  /// Complete content, sent with its `Content-Length`.
  case bytes([UInt8])
  /// Content that is made while it is sent, in chunked coding (RFC 9112, section 7.1).
  ///
  /// The closure may run as long as it likes. If it throws, the connection is cut without the last
  /// chunk, so that the client sees the response as incomplete.
  case stream(@Sendable (any HTTPBodyWriter) async throws -> Void)
  /// Another protocol on the same connection, behind a 101 that names it in `Upgrade` (RFC 9110, section 7.8). Only a GET
  /// of HTTP/1.1 can be answered so.
  ///
  /// The closure may run as long as it likes; the connection ends when it returns, and is reset if it throws.
  case upgrade(@Sendable (any HTTPUpgradedConnection) async throws -> Void)
}

/// The destination of a streamed body.
package protocol HTTPBodyWriter: Sendable {
  /// Sends bytes, and returns when the connection has room for more, so that a slow reader slows the producer down.
  ///
  /// - Throws: `HTTPConnectionClosed` if the peer is gone.
  func write(_ bytes: [UInt8]) async throws

  /// Waits until the system has taken everything that was written, so that nothing of it is kept for a peer that does not
  /// read.
  ///
  /// - Throws: `HTTPConnectionClosed` if the peer is gone.
  func waitUntilSent() async throws

  /// Ends the connection now, and a write that waits with it; nothing if the content is complete. It returns at once,
  /// and may be called from any thread.
  func cut()
}

extension HTTPBodyWriter {
  /// A destination in memory has nothing to wait for, and nothing to cut.
  package func waitUntilSent() async throws {}
  package func cut() {}
}

/// A connection that speaks another protocol than HTTP.
package protocol HTTPUpgradedConnection: HTTPBodyWriter {
  /// Waits for bytes of the peer: at least one, in the pieces in which they come. One task at a time calls it.
  ///
  /// - Returns: The bytes; nil at the end of the peer's data, and if the task is canceled.
  /// - Throws: `HTTPConnectionClosed` if the connection is gone.
  func read() async throws -> [UInt8]?
}

/// The peer closed the connection before the response was complete.
package struct HTTPConnectionClosed: Error {
  package init() {}
}
