/// One whole request: its head and all of its content.
package struct HTTPRequest: Sendable {
  package var method: HTTPMethod
  /// The version that the client speaks; in HTTP/1.0 nothing is upgraded (RFC 9110, section 7.8).
  package var version = HTTPVersion.http11
  /// The path of the request target, still percent-encoded; begins with `/` (or is `*` for `OPTIONS *`).
  package var path: String
  /// The part of the target after its first `?`, still percent-encoded; nil without a `?`.
  package var query: String?
  package var fields: HTTPFields
  /// The content, with any transfer coding removed; empty if it is in `bodyFile`.
  package var body: [UInt8]
  /// The content of a request that is longer than most requests may be (`HTTPRequestLimits.longBodies`), or for which the
  /// server had no memory; nil if it is in `body`.
  package var bodyFile: (any HTTPBodyFile)?
  /// The address of the peer as text, without its port, or of the client that a trusted proxy names; nil for a request
  /// without a connection (in process).
  package var remoteAddress: String?

  package init(
    method: HTTPMethod, path: String, query: String? = nil, fields: HTTPFields = HTTPFields(),
    body: [UInt8] = [], remoteAddress: String? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
    self.remoteAddress = remoteAddress
  }
}
