extension TimeEntry {
  /// Closes an active entry: its end, its flags, a new version.
  ///
  /// - Parameters:
  ///   - time: The end; an unstated one is moved behind the clock-in if it is not after it.
  ///   - isStated: Whether a client chose the time.
  ///   - policy: Judges the entry's length.
  ///   - extraFlags: Added to the judgment.
  ///   - now: Becomes `updatedAt`.
  /// - Throws: `TimeclockError.endNotAfterStart` for a stated time.
  package mutating func close(
    at time: Instant, isStated: Bool, by policy: Policy, extraFlags: TimeEntryFlags = [], now: Instant
  ) throws {
    guard time > clockInTime || !isStated else { throw TimeclockError.endNotAfterStart }
    let end = max(time, clockInTime.adding(milliseconds: 1))
    clockOutTime = end
    flags.formUnion(.judging(milliseconds: end.milliseconds(since: clockInTime), by: policy))
    flags.formUnion(extraFlags)
    version += 1
    updatedAt = now
  }

  /// Closes an active entry that nobody has clocked out of for longer than the policy waits. It ends as long after its
  /// clock-in as the policy waits, or as the policy's maximum says if that is less.
  ///
  /// - Parameter now: Decides whether the entry is due, and becomes `updatedAt`.
  /// - Returns: The reason for the log of changes; nil for an entry that is not due, which stays as it is.
  package mutating func closeIfForgotten(by policy: Policy, now: Instant) throws -> Reason? {
    guard clockOutTime == nil, let limit = policy.autoClockOutSeconds,
      clockInTime < policy.forgottenBefore(now)
    else { return nil }
    let length = min(limit, policy.maximumSeconds)
    try close(
      at: clockInTime.adding(milliseconds: length * 1_000), isStated: true, by: policy,
      extraFlags: .autoClosed, now: now)
    source = .auto
    let end = length < limit ? "; the entry ends at the maximum of \(length) seconds" : ""
    return Reason(stored: "Nobody clocked out within \(limit) seconds (autoClockOutAfter)\(end)")
  }
}

extension Policy {
  /// Active entries that began before this instant are due to be closed; none if the service closes none.
  package func forgottenBefore(_ now: Instant) -> Instant {
    autoClockOutSeconds.map { now.adding(milliseconds: -$0 * 1_000) }
      ?? Instant(millisecondsSince1970: .min)
  }
}
