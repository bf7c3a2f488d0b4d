/// The reason why the server did not accept a request, with its status.
package struct HTTPRequestRejection: Error, Hashable, Sendable {
  package var status: HTTPStatus
  /// A stable word for programs, in lower case with underscores: `malformed_request`, `body_too_large`, …
  package var code: String
  /// One English sentence for a person, without any text of the client.
  package var detail: String
  /// The seconds after which the same request may be accepted, for `Retry-After`; nil if it never will be.
  package var retryAfterSeconds: Int?
  /// The system's error, for the operator's log and not for the client; nil without one.
  package var cause: String?

  package init(status: HTTPStatus, code: String, detail: String, retryAfterSeconds: Int? = nil) {
    self.status = status
    self.code = code
    self.detail = detail
    self.retryAfterSeconds = retryAfterSeconds
  }
}
