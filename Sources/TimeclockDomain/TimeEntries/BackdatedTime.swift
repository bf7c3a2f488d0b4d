/// A time that a client states for a clock-in or clock-out it could not report when it happened.
package enum BackdatedTime {
  /// Checks that the time is neither in the future nor further back than the policy allows.
  ///
  /// Exactly now and exactly the look-back are allowed.
  ///
  /// - Parameter isLookBackLimited: False for a manager, who may state any past clock-out.
  /// - Throws: `TimeclockError.inFuture` or `.tooFarBack`.
  package static func validate(
    _ time: Instant, now: Instant, policy: Policy, isLookBackLimited: Bool = true
  ) throws {
    guard time <= now else { throw TimeclockError.inFuture }
    guard !isLookBackLimited || now.milliseconds(since: time) <= policy.lookBackHours * 3_600_000 else {
      throw TimeclockError.tooFarBack(hours: policy.lookBackHours)
    }
  }
}
