import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("A rate limit")
struct RateLimitTests {
  private static let second: Int64 = 1_000_000_000

  private func limit(_ count: Int) throws -> RateLimit { try #require(RateLimit(requestsPerMinute: count)) }

  @Test("A rate limit is at least one request a minute and at most a million")
  func bounds() {
    for count in [Int.min, -1, 0, 1_000_001, .max] { #expect(RateLimit(requestsPerMinute: count) == nil) }
    for count in [1, 7, 60, 1_000_000] {
      #expect(RateLimit(requestsPerMinute: count)?.requestsPerMinute == count)
    }
  }

  @Test(
    "A rate limit grants all its requests at once, then one at a time as they become available",
    arguments: [1, 2, 60, 7, 10_007])
  func burst(_ count: Int) throws {
    let limit = try limit(count)
    var bucket = TokenBucket(fullTime: 0)
    for taken in 1...count {
      let allowance = bucket.take(at: 0, limit: limit)
      guard allowance.remaining == count - taken, allowance.retryAfterSeconds == nil else {
        Issue.record("\(taken): \(allowance)")
        return
      }
    }
    let refused = bucket.take(at: 0, limit: limit)
    #expect(refused.remaining == 0)
    #expect(refused.retryAfterSeconds == max(1, Int((60 + count - 1) / count)))
    #expect(bucket.take(at: limit.interval - 1, limit: limit).retryAfterSeconds == 1)
    #expect(bucket.take(at: limit.interval, limit: limit).retryAfterSeconds == nil)
    #expect(bucket.take(at: limit.interval, limit: limit).retryAfterSeconds != nil)
  }

  @Test("A refused request takes nothing, so that asking again does not lengthen the wait")
  func refusedTakesNothing() throws {
    let limit = try limit(2)
    var bucket = TokenBucket(fullTime: 0)
    for _ in 0..<2 { _ = bucket.take(at: 0, limit: limit) }
    for _ in 0..<100 {
      #expect(
        bucket.take(at: 0, limit: limit)
          == RateLimitAllowance(limit: 2, remaining: 0, resetSeconds: 60, retryAfterSeconds: 30))
    }
    #expect(
      bucket.take(at: 30 * Self.second, limit: limit)
        == RateLimitAllowance(limit: 2, remaining: 0, resetSeconds: 60, retryAfterSeconds: nil))
  }

  @Test("Requests that are given back can be made again, and never more than the limit")
  func givingBack() throws {
    let limit = try limit(3)
    var bucket = TokenBucket(fullTime: 0)
    for _ in 0..<3 { _ = bucket.take(at: 0, limit: limit) }
    bucket.giveBack(2, limit: limit)
    #expect(
      (0..<3).map { _ in bucket.take(at: 0, limit: limit).retryAfterSeconds == nil } == [true, true, false])
    bucket.giveBack(100, limit: limit)
    #expect((0..<4).filter { _ in bucket.take(at: 0, limit: limit).retryAfterSeconds == nil }.count == 3)
    let limiter = RateLimiter(limit)
    for _ in 0..<3 { _ = limiter.take(address: "2001:db8::1", at: .now) }
    limiter.giveBack(3, of: "2001:db8::ffff", at: .now)
    #expect(limiter.take(address: "2001:db8::2", at: .now).retryAfterSeconds == nil)
  }

  @Test("A bucket is full again after a minute, and never more than full")
  func refill() throws {
    let limit = try limit(6)
    var bucket = TokenBucket(fullTime: 0)
    for _ in 0..<6 { _ = bucket.take(at: 0, limit: limit) }
    #expect(bucket.take(at: 25 * Self.second, limit: limit).remaining == 1)
    #expect(bucket.take(at: 3_600 * Self.second, limit: limit).remaining == 5)
  }

  @Test(
    "Ten rows count as one request, and no file as more than a minute's requests",
    arguments: [
      (-1, 1), (0, 1), (1, 1), (10, 1), (11, 2), (500, 50), (599, 60), (600, 60), (4_485, 60), (.max / 2, 60),
    ])
  func rows(_ rows: Int, _ requests: Int) throws {
    let limit = try limit(60)
    #expect(limit.requests(ofRows: rows) == requests)
  }

  @Test("All rows of a counted request are taken or none, and a refusal states when to ask again")
  func rowsOfRequest() throws {
    let limit = try limit(60)
    var bucket = TokenBucket(fullTime: 0)
    _ = bucket.take(at: 0, limit: limit)
    #expect(bucket.take(rows: 10, at: 0, limit: limit) == nil)
    #expect(bucket.take(rows: 100, at: 0, limit: limit)?.remaining == 50)
    _ = bucket.take(at: 0, limit: limit)
    let rows = bucket.take(rows: 10_000, at: 0, limit: limit)
    let refused = try #require(rows)
    #expect(refused == RateLimitAllowance(limit: 60, remaining: 49, resetSeconds: 11, retryAfterSeconds: 11))
    var early = bucket
    _ = early.take(at: 10 * Self.second, limit: limit)
    #expect(early.take(rows: 10_000, at: 10 * Self.second, limit: limit)?.retryAfterSeconds != nil)
    _ = bucket.take(at: 11 * Self.second, limit: limit)
    let again = bucket.take(rows: 10_000, at: 11 * Self.second, limit: limit)
    let taken = try #require(again)
    #expect(taken == RateLimitAllowance(limit: 60, remaining: 0, resetSeconds: 60, retryAfterSeconds: nil))
  }

  @Test("A time that another thread read a little earlier is accepted")
  func earlierTime() throws {
    let limit = try limit(60)
    var bucket = TokenBucket(fullTime: 0)
    #expect(bucket.take(at: 10 * Self.second, limit: limit).remaining == 59)
    #expect(bucket.take(at: 10 * Self.second - 1, limit: limit).remaining == 57)
    #expect(bucket.take(at: 10 * Self.second, limit: limit).remaining == 57)
  }

  @Test("Each caller counts separately, and no caller is dropped within a minute")
  func table() throws {
    let limit = try limit(2)
    var table = BucketTable<Int>(generationLimit: 1_000)
    for round in 0..<4 {
      for caller in 0..<100 {
        let allowance = table.take(caller, at: Int64(round) * Self.second * 14, limit: limit)
        #expect((allowance.retryAfterSeconds == nil) == (round != 2), "\(round)")
      }
    }
    #expect(table.count == 100)
  }

  @Test("The bucket of a caller who was away for two minutes is dropped")
  func forgets() throws {
    let limit = try limit(2)
    var table = BucketTable<Int>(generationLimit: 1_000)
    for caller in 0..<100 { _ = table.take(caller, at: 0, limit: limit) }
    _ = table.take(1, at: 61 * Self.second, limit: limit)
    #expect(table.count == 101)
    _ = table.take(1, at: 122 * Self.second, limit: limit)
    #expect(table.count == 2)
  }

  @Test("The number of buckets is bounded, and no caller is refused because there are many others")
  func bounded() throws {
    let limit = try limit(1)
    var table = BucketTable<Int>(generationLimit: 64)
    for caller in 0..<10_000 {
      #expect(table.take(caller, at: 0, limit: limit).retryAfterSeconds == nil)
      #expect(table.count <= 128)
    }
    // The bucket of the last caller is still kept.
    #expect(table.take(9_999, at: 0, limit: limit).retryAfterSeconds != nil)
  }

  @Test("Each token and each address has its own limit, and an IPv6 network of 64 bits counts as one address")
  func callers() throws {
    let limiter = RateLimiter(try limit(1))
    let now = ContinuousClock.now
    func granted(_ token: UInt8) -> Bool {
      limiter.take(TokenDigest(bytes: [token]), at: now).retryAfterSeconds == nil
    }
    func granted(_ address: String?) -> Bool {
      limiter.take(address: address, at: now).retryAfterSeconds == nil
    }
    #expect(granted(1) && granted(2) && !granted(1) && !granted(2))
    #expect(granted("192.0.2.1") && granted("192.0.2.2") && !granted("192.0.2.1"))
    #expect(granted("2001:db8::1") && !granted("2001:db8::ffff:1") && granted("2001:db8:0:1::1"))
    #expect(granted(nil) && !granted("no address"))
  }
}
