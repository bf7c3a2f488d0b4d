import HTTPMessages

/// The requests that a caller has left, as every answer states them.
struct RateLimitAllowance: Equatable, Sendable {
  var limit: Int
  var remaining: Int
  /// The time until the whole limit is available again, in seconds, rounded up.
  var resetSeconds: Int
  /// The time until one more request is granted, in seconds, rounded up; nil if this request is granted.
  var retryAfterSeconds: Int?

  /// Adds `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, whole numbers that a client can read
  /// without a parser of structured fields (draft-ietf-httpapi-ratelimit-headers-06, section 3).
  func append(to fields: inout HTTPFields) {
    fields.append("RateLimit-Limit", String(limit))
    fields.append("RateLimit-Remaining", String(remaining))
    fields.append("RateLimit-Reset", String(resetSeconds))
  }
}
