import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("A rate limit")
struct RateLimitTests {
  private static let second: Int64 = 1_000_000_000

  private func limit(_ count: Int) throws -> RateLimit { try #require(RateLimit(requestsPerMinute: count)) }

  @Test("is at least one request a minute and at most a million")
  func bounds() {
    for count in [Int.min, -1, 0, 1_000_001, .max] { #expect(RateLimit(requestsPerMinute: count) == nil) }
    for count in [1, 7, 60, 1_000_000] {
      #expect(RateLimit(requestsPerMinute: count)?.requestsPerMinute == count)
    }
  }

  @Test(
    "grants so many at once, then one after the other as they come free", arguments: [1, 2, 60, 7, 10_007])
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

  @Test("that was refused takes nothing, so that asking on does not lengthen the wait")
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

  @Test("is whole again after a minute, and never more than whole")
  func refill() throws {
    let limit = try limit(6)
    var bucket = TokenBucket(fullTime: 0)
    for _ in 0..<6 { _ = bucket.take(at: 0, limit: limit) }
    #expect(bucket.take(at: 25 * Self.second, limit: limit).remaining == 1)
    #expect(bucket.take(at: 3_600 * Self.second, limit: limit).remaining == 5)
  }

  @Test(
    "counts ten rows as one request, and no file as more than a minute's",
    arguments: [
      (-1, 1), (0, 1), (1, 1), (10, 1), (11, 2), (500, 50), (599, 60), (600, 60), (4_485, 60), (.max / 2, 60),
    ])
  func rows(_ rows: Int, _ requests: Int) throws {
    let limit = try limit(60)
    #expect(limit.requests(ofRows: rows) == requests)
  }

  @Test("takes the rows of a request that was taken, or none, and says when asking again will do")
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

  @Test("takes a clock that another thread read a little earlier")
  func earlierTime() throws {
    let limit = try limit(60)
    var bucket = TokenBucket(fullTime: 0)
    #expect(bucket.take(at: 10 * Self.second, limit: limit).remaining == 59)
    #expect(bucket.take(at: 10 * Self.second - 1, limit: limit).remaining == 57)
    #expect(bucket.take(at: 10 * Self.second, limit: limit).remaining == 57)
  }

  @Test("counts each caller apart, and forgets nobody within a minute")
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

  @Test("keeps no bucket of somebody who was away for two minutes")
  func forgets() throws {
    let limit = try limit(2)
    var table = BucketTable<Int>(generationLimit: 1_000)
    for caller in 0..<100 { _ = table.take(caller, at: 0, limit: limit) }
    _ = table.take(1, at: 61 * Self.second, limit: limit)
    #expect(table.count == 101)
    _ = table.take(1, at: 122 * Self.second, limit: limit)
    #expect(table.count == 2)
  }

  @Test("keeps a bounded number of buckets, and refuses nobody because others are many")
  func bounded() throws {
    let limit = try limit(1)
    var table = BucketTable<Int>(generationLimit: 64)
    for caller in 0..<10_000 {
      #expect(table.take(caller, at: 0, limit: limit).retryAfterSeconds == nil)
      #expect(table.count <= 128)
    }
    // Who came last is still known.
    #expect(table.take(9_999, at: 0, limit: limit).retryAfterSeconds != nil)
  }

  @Test("is each token's own, and each address's; an IPv6 network of 64 bits is one")
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
