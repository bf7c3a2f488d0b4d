/// A caller's bucket, which holds as many requests as the limit and fills evenly within a minute.
///
/// It is one number: a bucket that is full at a known time lacks what comes in until then.
struct TokenBucket: Equatable, Sendable {
  /// When it is full, or has been since, in the limiter's nanoseconds.
  private(set) var fullTime: Int64

  /// Takes one request out, if there is one.
  mutating func take(at now: Int64, limit: RateLimit) -> RateLimitAllowance {
    let taken = max(fullTime, now) + limit.interval
    let excess = taken - now - limit.window
    guard excess <= 0 else {
      return RateLimitAllowance(
        limit: limit.requestsPerMinute, remaining: 0, resetSeconds: Self.seconds(fullTime - now),
        retryAfterSeconds: Self.seconds(excess))
    }
    fullTime = taken
    return RateLimitAllowance(
      limit: limit.requestsPerMinute, remaining: Int(-excess / limit.interval),
      resetSeconds: Self.seconds(taken - now))
  }

  /// Nanoseconds, which are positive, as whole seconds, rounded up.
  private static func seconds(_ nanoseconds: Int64) -> Int {
    Int((nanoseconds + 999_999_999) / 1_000_000_000)
  }
}
