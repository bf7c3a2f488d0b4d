import TimeclockDomain

extension SQLiteStorage {
  package func beginLogInAttempt(_ attempt: LogInAttempt, at now: Instant) async throws {
    // A refused attempt only reads, so it keeps no other from writing.
    try read { try $0.requireAllowed(attempt, at: now) }
    try await writer.write(.short(nil)) { transaction in
      try transaction.connection.requireAllowed(attempt, at: now)
      for counter in attempt.counters {
        try transaction.statement(LogInAttemptRows.count).run(LogInAttemptRows.countValues(counter, at: now))
      }
    }
  }

  package func endLogInAttempt(
    _ attempt: LogInAttempt, as outcome: LogInOutcome, at now: Instant
  ) async throws {
    try await writer.write(.short(nil)) { transaction in
      for (index, counter) in attempt.counters.enumerated() {
        let row = LogInAttemptRows.row(counter)
        if index == 0, outcome == .succeeded {
          try transaction.statement(LogInAttemptRows.forget)
            .run(row + [.instant(now), .instant(attempt.knownUntil(after: now))])
        } else {
          try transaction.statement(LogInAttemptRows.takeBack)
            .run(row + [.integer(counter.limit.intervalMilliseconds)])
        }
      }
      if outcome == .succeeded, let counter = attempt.rightPasswordCounter {
        try transaction.statement(LogInAttemptRows.count).run(LogInAttemptRows.countValues(counter, at: now))
      }
    }
  }

  package func deleteExpiredLogInAttempts(at now: Instant, limit: Int) async throws -> Int {
    try await writer.write(.long(nil)) { transaction in
      try transaction.statement(LogInAttemptRows.deleteExpired)
        .all([.instant(now), PageLimit.count(limit)]) { $0.integer(0) }.count
    }
  }
}

extension SQLiteConnection {
  /// Throws `.tooManyAttempts` if an attempt is over a limit.
  fileprivate func requireAllowed(_ attempt: LogInAttempt, at now: Instant) throws {
    let counts = try statement(LogInAttemptRows.counts).first(LogInAttemptRows.row(attempt.counters[0])) {
      row in
      LogInCounts(
        ofPair: row.optionalInstant(0), ofNetwork: row.optionalInstant(1), ofAccount: row.optionalInstant(2),
        ofRightPasswords: row.optionalInstant(4), knownUntil: row.optionalInstant(3))
    }
    try attempt.requireAllowed(by: counts ?? LogInCounts(), at: now)
  }
}
