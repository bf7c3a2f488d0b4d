/// The start and end of an entry that was entered, not clocked.
package struct ManualTimes: Hashable, Sendable {
  package let clockIn: Instant
  package let clockOut: Instant

  /// How far a client's clock may run ahead, in milliseconds.
  package static let clockSkew: Int64 = 60_000

  /// Checks the times in the order in which a person would fix them.
  ///
  /// - Throws: `TimeclockError.inFuture`, `.endNotAfterStart`, `.tooLong` or `.tooShort`; exactly the maximum
  ///   and exactly the minimum are allowed.
  package init(clockIn: Instant, clockOut: Instant, now: Instant, policy: Policy) throws {
    guard clockOut.milliseconds(since: now) <= Self.clockSkew else { throw TimeclockError.inFuture }
    let length = clockOut.milliseconds(since: clockIn)
    guard length > 0 else { throw TimeclockError.endNotAfterStart }
    guard length <= policy.maximumSeconds * 1_000 else {
      throw TimeclockError.tooLong(maximumSeconds: policy.maximumSeconds)
    }
    guard length >= policy.minimumSeconds * 1_000 else {
      throw TimeclockError.tooShort(minimumSeconds: policy.minimumSeconds)
    }
    self.clockIn = clockIn
    self.clockOut = clockOut
  }
}
