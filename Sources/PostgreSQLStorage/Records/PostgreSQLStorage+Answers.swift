import TimeclockDomain

extension PostgreSQLStorage {
  package func recordedAnswer(for key: IdempotencyKey, at now: Instant) async throws -> RecordedAnswer? {
    try await read(AnswerRows.unexpired, [.bytes(key.digest), .instant(now)], in: .noOrganization)
      .first(AnswerRows.answer)
  }

  package func recordAnswer(_ recording: AnswerRecording<Void>) async throws {
    try await onLoop { connections in
      try await connections.transaction(in: .noOrganization) { transaction in
        try await transaction.once(recording) {}
      }
    }
  }

  package func deleteExpiredAnswers(at now: Instant, limit: Int) async throws -> Int {
    try await onLoop { connections in
      try await connections.transaction(in: .noOrganization) { transaction in
        try await transaction.run(AnswerRows.deleteExpired, [.instant(now), PageLimit.count(limit)]).count
      }
    }
  }
}

extension PostgreSQLTransaction {
  /// Executes a request, unless that was done before, and keeps its answer.
  ///
  /// Requests of one key exclude each other over all processes until the transaction ends
  /// (postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS); those that come meanwhile do not wait.
  ///
  /// - Throws: `AnsweredBefore`; `.requestInProgress`; any error of `body`.
  func once<Value>(
    _ recording: AnswerRecording<Value>?, _ body: () async throws -> Value
  ) async throws -> Value {
    guard let recording else { return try await body() }
    try await requireUnanswered(recording.key, at: recording.time)
    let value = try await body()
    for (key, answer) in try recording.answers(to: value) {
      try await keep(answer, under: key, until: recording.expiresAt)
    }
    return value
  }

  /// Throws `AnsweredBefore` and `.requestInProgress`; else nobody else has the key until the transaction ends.
  private func requireUnanswered(_ key: IdempotencyKey, at now: Instant) async throws {
    // The second statement begins when the lock is held, and so sees the answer of the request that held it before.
    let rows = try await run([
      PostgreSQLQuery(AnswerRows.lock, [.integer(key.lockNumber)], in: .noOrganization),
      PostgreSQLQuery(AnswerRows.unexpired, [.bytes(key.digest), .instant(now)], in: .noOrganization),
    ])
    if let answer = rows.last?.first(AnswerRows.answer) { throw AnsweredBefore(answer) }
    guard rows.first?.first({ $0.bool(0) }) == true else { throw TimeclockError.requestInProgress }
  }

  private func keep(_ answer: RecordedAnswer, under key: IdempotencyKey, until expiry: Instant) async throws {
    try await run(
      AnswerRows.keep,
      [
        .bytes(key.digest), .optional(key.user?.value), .bytes(answer.fingerprint),
        answer.salt.map(PostgreSQLValue.bytes) ?? .null, .integer(Int64(answer.status)),
        .optional(answer.entityTag), .optional(answer.location), .bytes(answer.body), .instant(expiry),
      ], in: .noOrganization)
  }
}

extension IdempotencyKey {
  /// The advisory lock of this key. Two keys that share one only make each other try again.
  fileprivate var lockNumber: Int64 {
    Int64(bitPattern: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}

/// The statements on answers that are kept.
private enum AnswerRows {
  static let lock = PostgreSQLStatement("SELECT pg_try_advisory_xact_lock($1)")

  static let unexpired = PostgreSQLStatement(
    """
    SELECT fingerprint, salt, status, entity_tag, location, body FROM idempotency_keys \
    WHERE digest = $1 AND expires_at > $2
    """)

  static func answer(_ row: PostgreSQLRow) -> RecordedAnswer {
    RecordedAnswer(
      fingerprint: row.optionalBytes(0) ?? [], salt: row.optionalBytes(1), status: Int(row.integer(2)),
      entityTag: row.optionalText(3), location: row.optionalText(4), body: row.optionalBytes(5) ?? [])
  }

  /// Replaces the row that the key may still have, which has expired by now.
  static let keep = PostgreSQLStatement(
    """
    INSERT INTO idempotency_keys (digest, user_id, fingerprint, salt, status, entity_tag, location, body, expires_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (digest) DO UPDATE SET user_id = excluded.user_id, \
    fingerprint = excluded.fingerprint, salt = excluded.salt, status = excluded.status, \
    entity_tag = excluded.entity_tag, location = excluded.location, body = excluded.body, \
    expires_at = excluded.expires_at
    """)

  /// Skips rows that another process is removing. With IN, PostgreSQL would walk through the whole table.
  static let deleteExpired = PostgreSQLStatement(
    """
    DELETE FROM idempotency_keys WHERE digest = ANY (ARRAY(SELECT digest FROM idempotency_keys \
    WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING status
    """)
}
