import Synchronization
import TimeclockDomain

/// Counts the rows of a request against the rate limit of its token, in addition to the request itself.
final class RowCharge: Sendable {
  private let limiter: RateLimiter
  private let token: TokenDigest
  private let time: ContinuousClock.Instant
  private let charged = Mutex<RateLimitAllowance?>(nil)

  /// Makes a charge for a request that was counted at `time`.
  init(_ limiter: RateLimiter, _ token: TokenDigest, at time: ContinuousClock.Instant) {
    self.limiter = limiter
    self.token = token
    self.time = time
  }

  /// The allowance after the rows have been counted; nil if none have.
  var allowance: RateLimitAllowance? { charged.withLock { $0 } }

  /// Counts rows; call it before the rows are processed.
  ///
  /// - Throws: `RequestError.rateLimited`; the rows are not counted then.
  func take(rows: Int) throws {
    guard let allowance = limiter.take(rows: rows, of: token, at: time) else { return }
    charged.withLock { $0 = allowance }
    if let seconds = allowance.retryAfterSeconds {
      throw RequestError.rateLimited(retryAfterSeconds: seconds)
    }
  }
}
