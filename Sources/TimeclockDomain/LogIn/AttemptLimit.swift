/// A limit of attempts: `attempts` of them at once, and then one each time the interval has passed.
///
/// One number stands for the counted attempts: the instant at which nothing of them is left. Each attempt puts it off
/// by the interval, time wears it down (the generic cell rate algorithm, ITU-T I.371).
package struct AttemptLimit: Hashable, Sendable {
  package let attempts: Int64
  package let intervalMilliseconds: Int64

  /// One account from one network: 5 attempts, then one every 3 minutes.
  package static let ofPair = AttemptLimit(attempts: 5, intervalMilliseconds: 180_000)
  /// One network over all accounts: 50 attempts, then one every 18 seconds.
  package static let ofNetwork = AttemptLimit(attempts: 50, intervalMilliseconds: 18_000)
  /// One account from anywhere: 100 attempts, then one every 36 seconds. It is exceeded and nobody is refused for that
  /// alone; networks that the account is not known in get less.
  package static let ofAccount = AttemptLimit(attempts: 100, intervalMilliseconds: 36_000)

  /// One account with the right password: 30 log-ins, then one every 10 seconds. Each takes the threads for hashing as
  /// long as a wrong one.
  package static let ofRightPasswords = AttemptLimit(attempts: 30, intervalMilliseconds: 10_000)

  /// The most that is ever counted: for an account a quarter of an hour more than its limit, so that an attack does not
  /// come and go.
  package var mostMilliseconds: Int64 {
    attempts * intervalMilliseconds + (self == .ofAccount ? 900_000 : 0)
  }

  /// The most that the clocks of several servers may be apart, in milliseconds. A count that reaches further ahead than
  /// that and `mostMilliseconds` together was made by a clock that was wrong, and says nothing.
  private static let clockTolerance: Int64 = 3_600_000

  /// The time until one more attempt is within the limit, in milliseconds; 0 if it is now.
  ///
  /// - Parameters:
  ///   - clearAt: The instant at which nothing is left of the counted attempts; nil if none was counted.
  ///   - spared: The milliseconds of the allowance that are not to be used.
  func wait(clearAt: Instant?, now: Instant, spared: Int64 = 0) -> Int64 {
    let counted = clearAt.map { $0.milliseconds(since: now) } ?? 0
    guard counted > 0, counted <= mostMilliseconds + Self.clockTolerance else { return 0 }
    let allowed = (attempts - 1) * intervalMilliseconds - spared
    return max(0, min(counted, mostMilliseconds) - allowed)
  }
}
