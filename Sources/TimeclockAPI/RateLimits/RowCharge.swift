import Synchronization
import TimeclockDomain

/// Counts the rows of a request that brings many against the rate limit of its token, beside the request itself.
final class RowCharge: Sendable {
  private let limiter: RateLimiter
  private let token: TokenDigest
  private let time: ContinuousClock.Instant
  private let charged = Mutex<RateLimitAllowance?>(nil)

  /// A charge for a request that was counted at `time`.
  init(_ limiter: RateLimiter, _ token: TokenDigest, at time: ContinuousClock.Instant) {
    self.limiter = limiter
    self.token = token
    self.time = time
  }

  /// What is left once the rows are counted; nil where none were.
  var allowance: RateLimitAllowance? { charged.withLock { $0 } }

  /// Counts rows, before anything is done with them.
  ///
  /// - Throws: `RequestError.rateLimited`, and then they are not counted.
  func take(rows: Int) throws {
    guard let allowance = limiter.take(rows: rows, of: token, at: time) else { return }
    charged.withLock { $0 = allowance }
    if let seconds = allowance.retryAfterSeconds {
      throw RequestError.rateLimited(retryAfterSeconds: seconds)
    }
  }
}
