import HTTPMessages

/// Which web pages of other origins may call the service and read its answers (the Fetch standard, section 3.2).
///
/// Credentials that a browser would add by itself are never allowed, and the service knows none: a page has to hold a
/// token and send it.
package struct CrossOriginPolicy: Sendable {
  private let origins: Set<String>

  /// Nil where no origin is allowed.
  package init?(_ origins: [WebOrigin]) {
    guard !origins.isEmpty else { return nil }
    self.origins = Set(origins.map(\.text))
  }

  /// The origin that a request names, if it is allowed.
  func origin(of request: HTTPRequest) -> String? {
    guard request.fields.count(of: "Origin") == 1, let origin = request.fields["Origin"],
      origins.contains(origin)
    else { return nil }
    return origin
  }

  /// Whether a browser asks before it sends the request itself, for a page that may.
  func isPreflight(_ request: HTTPRequest) -> Bool {
    request.method == .options && request.fields.count(of: "Access-Control-Request-Method") == 1
      && origin(of: request) != nil
  }

  /// The answer to such a question about a path that has these methods; `append` does the rest.
  func preflightResponse(methods: [String]) -> HTTPResponse {
    var response = HTTPResponse.noContent
    response.fields.append("Access-Control-Allow-Methods", methods.joined(separator: ", "))
    response.fields.append("Access-Control-Allow-Headers", Self.requestFields)
    response.fields.append("Access-Control-Max-Age", Self.preflightSeconds)
    return response
  }

  /// Adds to any answer what the page that asked may do with it. An origin that is not allowed learns nothing.
  func append(to response: inout HTTPResponse, for request: HTTPRequest) {
    response.fields.append("Vary", "Origin")
    guard let origin = origin(of: request) else { return }
    response.fields.append("Access-Control-Allow-Origin", origin)
    if request.method != .options {
      response.fields.append("Access-Control-Expose-Headers", Self.responseFields)
    }
  }

  /// The fields of requests that operations read, beyond those that pages may always send.
  private static let requestFields = "Authorization, Content-Type, Idempotency-Key, If-Match"
  /// The fields of answers that pages need, beyond those that they may always read.
  private static let responseFields =
    "Content-Disposition, ETag, Idempotency-Replayed, Location, RateLimit-Limit, RateLimit-Remaining, "
    + "RateLimit-Reset, Retry-After"
  /// How long browsers remember the answer; none does so for longer than two hours.
  private static let preflightSeconds = "7200"
}
