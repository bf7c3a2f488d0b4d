import HTTPMessages

/// The origins whose web pages may call the service and read its answers (the Fetch standard, section 3.2).
///
/// Credentials that a browser adds by itself are never allowed, and the service uses none: a page has to hold a token and
/// send it.
package struct CrossOriginPolicy: Sendable {
  private let origins: Set<String>

  /// Makes a policy; nil if no origin is allowed.
  package init?(_ origins: [WebOrigin]) {
    guard !origins.isEmpty else { return nil }
    self.origins = Set(origins.map(\.text))
  }

  /// Returns the origin that a request names, if it is allowed.
  func origin(of request: HTTPRequest) -> String? {
    guard request.fields.count(of: "Origin") == 1, let origin = request.fields["Origin"],
      origins.contains(origin)
    else { return nil }
    return origin
  }

  /// Whether the request is a browser's question before the actual request, for an allowed page.
  func isPreflight(_ request: HTTPRequest) -> Bool {
    request.method == .options && request.fields.count(of: "Access-Control-Request-Method") == 1
      && origin(of: request) != nil
  }

  /// Makes the answer to such a question about a path that has these methods; `append` adds the other fields.
  func preflightResponse(methods: [String]) -> HTTPResponse {
    var response = HTTPResponse.noContent
    response.fields.append("Access-Control-Allow-Methods", methods.joined(separator: ", "))
    response.fields.append("Access-Control-Allow-Headers", Self.requestFields)
    response.fields.append("Access-Control-Max-Age", Self.preflightSeconds)
    return response
  }

  /// Adds the page's permissions to any answer. An origin that is not allowed learns nothing.
  func append(to response: inout HTTPResponse, for request: HTTPRequest) {
    response.fields.append("Vary", "Origin")
    guard let origin = origin(of: request) else { return }
    response.fields.append("Access-Control-Allow-Origin", origin)
    if request.method != .options {
      response.fields.append("Access-Control-Expose-Headers", Self.responseFields)
    }
  }

  /// The request fields that operations read, without those that pages may always send.
  private static let requestFields = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
  /// The answer fields that pages need, without those that they may always read.
  private static let responseFields =
    "Content-Disposition, ETag, Idempotency-Replayed, Location, RateLimit-Limit, RateLimit-Remaining, "
    + "RateLimit-Reset, Retry-After, X-Request-Id"
  /// The seconds for which browsers may keep the answer; no browser keeps it for longer than two hours.
  private static let preflightSeconds = "7200"
}
