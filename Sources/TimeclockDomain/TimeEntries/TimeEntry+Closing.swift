extension TimeEntry {
  /// Closes an active entry: its end, its flags, a new version.
  ///
  /// - Parameters:
  ///   - time: The end; an unstated one is moved behind the clock-in where it is not after it.
  ///   - isStated: Whether a client chose the time.
  ///   - policy: Judges the entry's length.
  ///   - extraFlags: Added to the judgement.
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
}
