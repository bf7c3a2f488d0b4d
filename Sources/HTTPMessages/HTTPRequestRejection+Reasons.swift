extension HTTPRequestRejection {
  /// 400, for bytes that break the grammar or framing rules of RFC 9110 and RFC 9112.
  static func malformed(_ detail: String) -> HTTPRequestRejection {
    HTTPRequestRejection(status: .badRequest, code: "malformed_request", detail: detail)
  }

  /// 413 (RFC 9110, section 15.5.14).
  static var bodyTooLarge: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .contentTooLarge, code: "body_too_large", detail: "The request's content is too large.")
  }

  /// 414 (RFC 9112, section 3).
  static var requestLineTooLong: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .uriTooLong, code: "target_too_long", detail: "The request line is too long.")
  }

  /// 417 (RFC 9110, section 10.1.1).
  static var unknownExpectation: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .expectationFailed, code: "expectation_failed",
      detail: "The only expectation this server meets is 100-continue.")
  }

  /// 431 (RFC 6585, section 5).
  static var fieldsTooLarge: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .requestHeaderFieldsTooLarge, code: "header_fields_too_large",
      detail: "The request's header fields are too many or too large.")
  }

  /// 501 (RFC 9112, section 6.1).
  static var unknownTransferCoding: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .notImplemented, code: "transfer_coding_not_implemented",
      detail: "The only transfer coding this server knows is chunked.")
  }

  /// 501: an origin server opens no tunnels (RFC 9110, section 9.3.6).
  static var connectNotImplemented: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .notImplemented, code: "method_not_implemented",
      detail: "This server does not implement CONNECT.")
  }

  /// 505 (RFC 9110, section 15.6.6).
  static var versionNotSupported: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .httpVersionNotSupported, code: "http_version_not_supported",
      detail: "This server speaks HTTP/1.0 and HTTP/1.1.")
  }

  /// 503, for content that the server has no room for now (RFC 9110, section 15.6.4).
  package static var tooMuchContent: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .serviceUnavailable, code: "unavailable",
      detail: "The server holds as much request content as it can.", retryAfterSeconds: 1)
  }

  /// The same, because the system keeps no more.
  package static func tooMuchContent(because cause: String) -> HTTPRequestRejection {
    var rejection = tooMuchContent
    rejection.cause = cause
    return rejection
  }

  /// 503, for a connection beyond those that one address may have (RFC 9110, section 15.6.4).
  package static var tooManyConnections: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .serviceUnavailable, code: "unavailable",
      detail: "There are too many connections from this address.", retryAfterSeconds: 5)
  }

  /// 408, for a request that did not arrive in time (RFC 9110, section 15.5.9).
  package static var tooSlow: HTTPRequestRejection {
    HTTPRequestRejection(
      status: .requestTimeout, code: "request_timeout", detail: "The request took too long to arrive.")
  }
}
