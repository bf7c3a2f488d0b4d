import TimeclockDomain

extension PostgreSQLStorage {
  package func beginLogInAttempt(_ attempt: LogInAttempt, at now: Instant) async throws {
    let counters = attempt.counters
    let row = LogInAttemptRows.row(counters[0])
    // A refused attempt only reads, so it keeps no other from writing.
    try attempt.requireAllowed(
      by: Self.counts(try await read(LogInAttemptRows.counts, row, in: .noOrganization)), at: now)
    try await onLoop { connections in
      try await connections.transaction(in: .noOrganization) { transaction in
        // The second statement begins when the lock is held, and so sees earlier counts.
        let rows = try await transaction.run([
          PostgreSQLQuery(
            LogInAttemptRows.lock, [.integer(LogInAttemptRows.lockNumber(of: attempt))], in: .noOrganization),
          PostgreSQLQuery(LogInAttemptRows.counts, row, in: .noOrganization),
        ])
        try attempt.requireAllowed(by: Self.counts(rows.last), at: now)
        try await transaction.run(
          LogInAttemptRows.count,
          each: counters.map { LogInAttemptRows.countValues($0, at: now) })
      }
    }
  }

  package func endLogInAttempt(
    _ attempt: LogInAttempt, as outcome: LogInOutcome, at now: Instant
  ) async throws {
    var queries = attempt.counters.enumerated().map { index, counter in
      let row = LogInAttemptRows.row(counter)
      return index == 0 && outcome == .succeeded
        ? PostgreSQLQuery(
          LogInAttemptRows.forget, row + [.instant(now), .instant(attempt.knownUntil(after: now))],
          in: .noOrganization)
        : PostgreSQLQuery(
          LogInAttemptRows.takeBack, row + [.integer(counter.limit.intervalMilliseconds)], in: .noOrganization
        )
    }
    if outcome == .succeeded, let counter = attempt.rightPasswordCounter {
      queries.append(
        PostgreSQLQuery(
          LogInAttemptRows.count, LogInAttemptRows.countValues(counter, at: now), in: .noOrganization))
    }
    try await onLoop { connections in
      try await connections.transaction(in: .noOrganization) { transaction in
        _ = try await transaction.run(queries)
      }
    }
  }

  package func deleteExpiredLogInAttempts(at now: Instant, limit: Int) async throws -> Int {
    try await onLoop { connections in
      try await connections.transaction(in: .noOrganization) { transaction in
        try await transaction.run(
          LogInAttemptRows.deleteExpired, [.instant(now), PageLimit.count(limit)]
        ).count
      }
    }
  }

  private static func counts(_ rows: PostgreSQLRows?) -> LogInCounts {
    rows?.first { row in
      LogInCounts(
        ofPair: row.optionalInstant(0), ofNetwork: row.optionalInstant(1), ofAccount: row.optionalInstant(2),
        ofRightPasswords: row.optionalInstant(4), knownUntil: row.optionalInstant(3))
    } ?? LogInCounts()
  }
}
