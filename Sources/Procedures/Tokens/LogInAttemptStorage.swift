import TimeclockDomain

/// The counts of recent attempts at passwords. `LogInAttempt` and `AttemptLimit` have the rules; storages only count.
package protocol LogInAttemptStorage: Sendable {
  /// Counts an attempt, before its password is looked at: of many at the same moment, through any of the servers, no
  /// more than the limits allow return. One that is refused is not counted, and costs no more than a read.
  ///
  /// - Throws: `.tooManyAttempts`.
  func beginLogInAttempt(_ attempt: LogInAttempt, at now: Instant) async throws

  /// Records the end of an attempt that was counted. If this fails, the attempt stays counted.
  func endLogInAttempt(_ attempt: LogInAttempt, as outcome: LogInOutcome, at now: Instant) async throws

  /// Removes counts that say nothing any more.
  ///
  /// - Parameter limit: The most to remove, at least 1.
  /// - Returns: The number of counts that were removed; less than `limit` when none is left.
  func deleteExpiredLogInAttempts(at now: Instant, limit: Int) async throws -> Int
}
