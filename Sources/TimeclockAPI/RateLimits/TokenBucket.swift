/// A caller's bucket, which holds as many requests as the limit and fills evenly within a minute.
///
/// It is one number, the time at which the bucket is full: before that time, the bucket lacks the requests that flow in
/// until then.
struct TokenBucket: Equatable, Sendable {
  /// The time at which the bucket is full, or since which it has been full, in the limiter's nanoseconds.
  private(set) var fullTime: Int64

  /// Takes one request out, if the bucket has one.
  mutating func take(at now: Int64, limit: RateLimit) -> RateLimitAllowance {
    take(1, at: now, limit: limit, asking: 0)
  }

  /// Takes out the further requests that the rows of an already counted request count for, if the bucket has as many.
  mutating func take(rows: Int, at now: Int64, limit: RateLimit) -> RateLimitAllowance? {
    let count = limit.requests(ofRows: rows) - 1
    // The repeated request takes one.
    return count > 0 ? take(Int64(count), at: now, limit: limit, asking: 1) : nil
  }

  /// Puts requests back that were taken out. A bucket that would be more than full is full.
  mutating func giveBack(_ count: Int, limit: RateLimit) {
    fullTime -= Int64(count) * limit.interval
  }

  /// Takes out `count` requests, if the bucket has as many. A caller that asks again at the stated time has taken
  /// `asking` requests by then.
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

  /// Converts positive nanoseconds to whole seconds, rounded up.
  private static func seconds(_ nanoseconds: Int64) -> Int {
    Int((nanoseconds + 999_999_999) / 1_000_000_000)
  }
}
