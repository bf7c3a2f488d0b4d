/// The buckets of many callers, in bounded memory.
///
/// A bucket that nobody has taken from for a minute is full, and so is one that is not there. Therefore two
/// generations do: a bucket that is used moves to the young one, and each minute the young becomes the old one and what
/// was old is forgotten. No bucket is ever looked for to be removed.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
  private var young: [Key: TokenBucket] = [:]
  private var old: [Key: TokenBucket] = [:]
  private var youngTime: Int64 = 0
  private let generationLimit: Int

  /// A table without buckets.
  ///
  /// - Parameter generationLimit: How many buckets a generation has. When more callers come within a minute, old buckets
  ///   are forgotten early, and their callers find full ones: nobody is refused because others are many.
  init(generationLimit: Int) {
    self.generationLimit = generationLimit
  }

  /// How many buckets are kept.
  var count: Int { young.count + old.count }

  /// Takes a request out of a caller's bucket, if there is one in it.
  mutating func take(_ key: Key, at now: Int64, limit: RateLimit) -> RateLimitAllowance {
    withBucket(of: key, at: now, limit) { $0.take(at: now, limit: limit) }
  }

  /// Takes what the rows of a request count for beside the request out of a caller's bucket; nil where that is nothing.
  mutating func take(rows: Int, of key: Key, at now: Int64, limit: RateLimit) -> RateLimitAllowance? {
    withBucket(of: key, at: now, limit) { $0.take(rows: rows, at: now, limit: limit) }
  }

  private mutating func withBucket<Result>(
    of key: Key, at now: Int64, _ limit: RateLimit, _ take: (inout TokenBucket) -> Result
  ) -> Result {
    if now - youngTime >= limit.window || young.count >= generationLimit { beginGeneration(at: now) }
    var bucket = young[key] ?? old[key] ?? TokenBucket(fullTime: now)
    let result = take(&bucket)
    young[key] = bucket
    return result
  }

  private mutating func beginGeneration(at now: Int64) {
    old = young
    young = [:]
    youngTime = now
  }
}
