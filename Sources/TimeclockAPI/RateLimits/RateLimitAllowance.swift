import HTTPMessages

/// What a caller has left, as it is told with every answer.
struct RateLimitAllowance: Equatable, Sendable {
  var limit: Int
  var remaining: Int
  /// Until all of the limit is there again, in whole seconds, rounded up.
  var resetSeconds: Int
  /// In how many seconds one more request is granted, rounded up; nil where this one is.
  var retryAfterSeconds: Int?

  /// Adds `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, whole numbers that a client can read
  /// without a parser of structured fields (draft-ietf-httpapi-ratelimit-headers-06, section 3).
  func append(to fields: inout HTTPFields) {
    fields.append("RateLimit-Limit", String(limit))
    fields.append("RateLimit-Remaining", String(remaining))
    fields.append("RateLimit-Reset", String(resetSeconds))
  }
}
