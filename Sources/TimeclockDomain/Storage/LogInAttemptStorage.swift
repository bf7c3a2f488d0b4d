/// How often passwords were tried lately. `LogInAttempt` and `AttemptLimit` have the rules; storages only count.
package protocol LogInAttemptStorage: Sendable {
  /// Counts an attempt, before its password is looked at: of many at the same moment, through whatever server, no
  /// more than the limits allow return. One that is refused is not counted, and costs no more than a read.
  ///
  /// - Throws: `.tooManyAttempts`.
  func beginLogInAttempt(_ attempt: LogInAttempt, at now: Instant) async throws

  /// Says how an attempt ended that was counted. Where this cannot be done, it stays counted.
  func endLogInAttempt(_ attempt: LogInAttempt, as outcome: LogInOutcome, at now: Instant) async throws

  /// Removes counts that say nothing any more.
  ///
  /// - Parameter limit: The most to remove, at least 1.
  /// - Returns: How many were removed; fewer than `limit` when none is left.
  func deleteExpiredLogInAttempts(at now: Instant, limit: Int) async throws -> Int
}
