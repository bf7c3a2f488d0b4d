import HTTPMessages
import Synchronization
import TimeclockDomain

/// Counts the requests of each token, and of each address without one, in the memory of this process.
final class RateLimiter: Sendable {
  /// The buckets of a part of the callers, so that event loops seldom wait for each other.
  private final class Shard<Key: Hashable & Sendable>: Sendable {
    private let table = Mutex(BucketTable<Key>(generationLimit: 2_048))

    func take(_ key: Key, at now: Int64, limit: RateLimit) -> RateLimitAllowance {
      table.withLock { $0.take(key, at: now, limit: limit) }
    }

    func giveBack(_ count: Int, of key: Key, at now: Int64, limit: RateLimit) {
      table.withLock { $0.giveBack(count, of: key, at: now, limit: limit) }
    }

    func take(rows: Int, of key: Key, at now: Int64, limit: RateLimit) -> RateLimitAllowance? {
      table.withLock { $0.take(rows: rows, of: key, at: now, limit: limit) }
    }
  }

  private let limit: RateLimit
  private let start = ContinuousClock.now
  // Separate tables, so that no number of addresses takes a token's bucket away.
  private let tokens = (0..<shardCount).map { _ in Shard<TokenDigest>() }
  private let addresses = (0..<shardCount).map { _ in Shard<UInt128>() }

  /// Sixteen shards of two generations of 2,048 buckets: 65,536 tokens, and as many addresses, in 10 MB at most.
  private static let shardCount = 16

  init(_ limit: RateLimit) {
    self.limit = limit
  }

  /// Counts a request with a valid token.
  func take(_ token: TokenDigest, at time: ContinuousClock.Instant) -> RateLimitAllowance {
    tokens[Self.shard(token)].take(token, at: nanoseconds(time), limit: limit)
  }

  /// Counts the rows of a request with a token, in addition to the request itself; nil if they count for nothing.
  func take(rows: Int, of token: TokenDigest, at time: ContinuousClock.Instant) -> RateLimitAllowance? {
    tokens[Self.shard(token)].take(rows: rows, of: token, at: nanoseconds(time), limit: limit)
  }

  /// Counts a request without a token, or with an invalid one.
  ///
  /// An IPv6 network of 64 bits is one caller: it is the smallest that a subscriber gets (RFC 6177, section 2). All
  /// requests without an address together are one caller too.
  func take(address: String?, at time: ContinuousClock.Instant) -> RateLimitAllowance {
    let key = Self.key(of: address)
    return addresses[Self.shard(key)].take(key, at: nanoseconds(time), limit: limit)
  }

  /// Gives back requests that were counted for an address before it was known that they have a token.
  func giveBack(_ count: Int, of address: String?, at time: ContinuousClock.Instant) {
    let key = Self.key(of: address)
    addresses[Self.shard(key)].giveBack(count, of: key, at: nanoseconds(time), limit: limit)
  }

  private static func key(of address: String?) -> UInt128 {
    let address = address.flatMap { IPAddress($0) }
    return address.map { $0.isIPv4 ? $0.bits : $0.bits & ~UInt128(UInt64.max) } ?? 0
  }

  private static func shard(_ key: some Hashable) -> Int {
    Int(UInt(bitPattern: key.hashValue) % UInt(shardCount))
  }

  private func nanoseconds(_ time: ContinuousClock.Instant) -> Int64 {
    let elapsed = start.duration(to: time).components
    return elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000
  }
}
