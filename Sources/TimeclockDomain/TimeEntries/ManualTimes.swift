/// The start and end of an entry that was entered, not clocked.
package struct ManualTimes: Hashable, Sendable {
  package let clockIn: Instant
  package let clockOut: Instant

  /// How far a client's clock may run ahead, in milliseconds.
  package static let clockSkew: Int64 = 60_000

  /// Checks the times in the order in which a person would fix them.
  ///
  /// - Parameters:
  ///   - isDaysBackLimited: False for a manager, who may enter time of any day.
  ///   - isLengthLimited: False for times that are kept as they are, and flagged.
  /// - Throws: `TimeclockError.inFuture`, `.endNotAfterStart`, `.tooLong`, `.tooShort` or `.daysTooFarBack`; exactly the
  ///   maximum, the minimum and the days back are allowed.
  package init(
    clockIn: Instant, clockOut: Instant, now: Instant, policy: Policy, isDaysBackLimited: Bool = false,
    isLengthLimited: Bool = true
  ) throws {
    guard clockOut.milliseconds(since: now) <= Self.clockSkew else { throw TimeclockError.inFuture }
    let length = clockOut.milliseconds(since: clockIn)
    guard length > 0 else { throw TimeclockError.endNotAfterStart }
    guard !isLengthLimited || length <= policy.maximumSeconds * 1_000 else {
      throw TimeclockError.tooLong(maximumSeconds: policy.maximumSeconds)
    }
    guard !isLengthLimited || length >= policy.minimumSeconds * 1_000 else {
      throw TimeclockError.tooShort(minimumSeconds: policy.minimumSeconds)
    }
    if isDaysBackLimited, let days = policy.manualEntryDays {
      guard now.milliseconds(since: clockIn) <= days * 86_400_000 else {
        throw TimeclockError.daysTooFarBack(days: days)
      }
    }
    self.clockIn = clockIn
    self.clockOut = clockOut
  }
}
