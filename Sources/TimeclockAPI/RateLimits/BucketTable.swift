/// The buckets of many callers, in bounded memory.
///
/// A bucket that has not been used for a minute is full, and a missing bucket counts as full. Therefore two generations
/// are enough: a bucket that is used moves to the young generation, and each minute the young generation becomes the old
/// one and the old one is dropped. No search for unused buckets is needed.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
  private var young: [Key: TokenBucket] = [:]
  private var old: [Key: TokenBucket] = [:]
  private var youngTime: Int64 = 0
  private let generationLimit: Int

  /// Makes a table without buckets.
  ///
  /// - Parameter generationLimit: The number of buckets of a generation. When more callers come within a minute, old
  ///   buckets are dropped early, and their callers find full ones: no caller is refused because there are many others.
  init(generationLimit: Int) {
    self.generationLimit = generationLimit
  }

  /// The number of buckets in the table.
  var count: Int { young.count + old.count }

  /// Takes a request out of a caller's bucket, if the bucket has one.
  mutating func take(_ key: Key, at now: Int64, limit: RateLimit) -> RateLimitAllowance {
    withBucket(of: key, at: now, limit) { $0.take(at: now, limit: limit) }
  }

  /// Takes out of a caller's bucket the requests that the rows of a request count for in addition to the request itself;
  /// nil if the rows count for none.
  mutating func take(rows: Int, of key: Key, at now: Int64, limit: RateLimit) -> RateLimitAllowance? {
    withBucket(of: key, at: now, limit) { $0.take(rows: rows, at: now, limit: limit) }
  }

  /// Puts requests back into a caller's bucket, which is never more than full.
  mutating func giveBack(_ count: Int, of key: Key, at now: Int64, limit: RateLimit) {
    withBucket(of: key, at: now, limit) { $0.giveBack(count, limit: limit) }
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
