/// A caller's bucket, which holds as many requests as the limit and fills evenly within a minute.
///
/// It is one number: a bucket that is full at a known time lacks what comes in until then.
struct TokenBucket: Equatable, Sendable {
  /// When it is full, or has been since, in the limiter's nanoseconds.
  private(set) var fullTime: Int64

  /// Takes one request out, if there is one.
  mutating func take(at now: Int64, limit: RateLimit) -> RateLimitAllowance {
    take(1, at: now, limit: limit, asking: 0)
  }

  /// Takes as many more requests out as the rows of one that was taken already count for, if there are as many.
  mutating func take(rows: Int, at now: Int64, limit: RateLimit) -> RateLimitAllowance? {
    let count = limit.requests(ofRows: rows) - 1
    // Asking again takes one.
    return count > 0 ? take(Int64(count), at: now, limit: limit, asking: 1) : nil
  }

  /// Takes so many requests out, if there are as many. Whoever asks again when told to has taken `asking` by then.
  private mutating func take(
    _ count: Int64, at now: Int64, limit: RateLimit, asking: Int64
  ) -> RateLimitAllowance {
    let taken = max(fullTime, now) + count * limit.interval
    let excess = taken - now - limit.window
    guard excess <= 0 else {
      let left = max(0, (limit.window - max(0, fullTime - now)) / limit.interval)
      return RateLimitAllowance(
        limit: limit.requestsPerMinute, remaining: Int(left), resetSeconds: Self.seconds(fullTime - now),
        retryAfterSeconds: Self.seconds(excess + asking * limit.interval))
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
