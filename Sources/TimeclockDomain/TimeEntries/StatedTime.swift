/// A time that a client states by its own clock.
package enum StatedTime {
  /// The most that a client's clock may be ahead of the service's, in milliseconds.
  package static let skew: Int64 = 120_000

  /// The time that counts: a time that is ahead by no more than `skew` is now.
  ///
  /// - Throws: `TimeclockError.inFuture`.
  package static func counted(_ time: Instant, now: Instant) throws -> Instant {
    guard time.milliseconds(since: now) <= skew else { throw TimeclockError.inFuture }
    return min(time, now)
  }

  /// The time that counts for a clock-in or a clock-out that could not be reported when it happened: not further back
  /// than the policy allows. Exactly the look-back is allowed.
  ///
  /// - Parameter isLookBackLimited: False for a manager, who may state any past clock-out.
  /// - Throws: `TimeclockError.inFuture` or `.tooFarBack`.
  package static func backdated(
    _ time: Instant, now: Instant, policy: Policy, isLookBackLimited: Bool = true
  ) throws -> Instant {
    let time = try counted(time, now: now)
    guard !isLookBackLimited || now.milliseconds(since: time) <= policy.lookBackHours * 3_600_000 else {
      throw TimeclockError.tooFarBack(hours: policy.lookBackHours)
    }
    return time
  }
}
