import TimeclockDomain

extension Timeclock {
  /// Checks a password, as an attempt that is counted before it is made.
  ///
  /// - Parameter check: Looks at the password; nil if it is wrong. An error that it throws says that it could not look,
  ///   and the attempt is taken back.
  /// - Throws: `.tooManyAttempts`, and then `check` was not called; any error of `check`.
  package func counting<Value>(
    _ attempt: LogInAttempt, _ check: () async throws -> Value?
  ) async throws -> Value? {
    try await storage.beginLogInAttempt(attempt, at: clock.now)
    let value: Value?
    do {
      value = try await check()
    } catch {
      try? await storage.endLogInAttempt(attempt, as: .notChecked, at: clock.now)
      throw error
    }
    if value != nil { try await storage.endLogInAttempt(attempt, as: .succeeded, at: clock.now) }
    return value
  }

  /// Removes counts of attempts that say nothing any more. A canceled task ends between two batches.
  package func deleteExpiredLogInAttempts(at time: SettledInstant) async throws {
    let now = time.instant
    while !Task.isCancelled {
      let count = try await storage.deleteExpiredLogInAttempts(at: now, limit: Self.expiredAttemptBatch)
      if count < Self.expiredAttemptBatch { return }
    }
  }

  /// The number of counts that are removed in one transaction, which others wait for.
  private static var expiredAttemptBatch: Int { 500 }
}
