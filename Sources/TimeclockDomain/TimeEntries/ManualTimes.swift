/// The start and end of an entry that was entered, not clocked.
package struct ManualTimes: Hashable, Sendable {
  package let clockIn: Instant
  package let clockOut: Instant

  /// Checks the times in the order in which a person would fix them. A time from a clock that is ahead counts as now.
  ///
  /// - Parameters:
  ///   - isDaysBackLimited: False for a manager, who may enter time of any day.
  ///   - isLengthLimited: False for times that are kept as they are, and flagged.
  ///   - mayEndAhead: True for a span that may end up to 24 hours ahead of now.
  /// - Throws: `TimeclockError.inFuture`, `.endNotAfterStart`, `.tooLong`, `.tooShort` or `.daysTooFarBack`; exactly the
  ///   maximum, the minimum and the days back are allowed.
  package init(
    clockIn: Instant, clockOut: Instant, now: Instant, policy: Policy, isDaysBackLimited: Bool = false,
    isLengthLimited: Bool = true, mayEndAhead: Bool = false
  ) throws {
    let isAhead = mayEndAhead && (0...86_400_000).contains(clockOut.milliseconds(since: now))
    let clockOut = try isAhead ? clockOut : StatedTime.counted(clockOut, now: now)
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
