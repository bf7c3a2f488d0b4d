import TimeclockDomain

extension SQLiteStorage {
  package func recordedAnswer(for key: IdempotencyKey, at now: Instant) async throws -> RecordedAnswer? {
    try read { try $0.recordedAnswer(for: key, at: now) }
  }

  package func recordAnswer(_ recording: AnswerRecording<Void>) async throws {
    try await write(.short(nil), recording: recording) { _ in }
  }

  package func deleteExpiredAnswers(at now: Instant, limit: Int) async throws -> Int {
    try await writer.write(.long(nil)) { transaction in
      try transaction.statement(
        """
        DELETE FROM idempotency_keys WHERE digest IN (
          SELECT digest FROM idempotency_keys WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
        RETURNING status
        """
      ).all([.instant(now), PageLimit.count(limit)]) { $0.integer(0) }.count
    }
  }
}

extension SQLiteTransaction {
  /// Executes a request, unless that was done before, and keeps its answer.
  ///
  /// - Throws: `AnsweredBefore`; any error of `body`.
  func once<Value>(_ recording: AnswerRecording<Value>?, _ body: () throws -> Value) throws -> Value {
    guard let recording else { return try body() }
    if let answer = try connection.recordedAnswer(for: recording.key, at: recording.time) {
      throw AnsweredBefore(answer)
    }
    let value = try body()
    for (key, answer) in try recording.answers(to: value) {
      try keep(answer, under: key, until: recording.expiresAt)
    }
    return value
  }

  private func keep(_ answer: RecordedAnswer, under key: IdempotencyKey, until expiry: Instant) throws {
    // Replaces the row that the key may still have, which has expired by now.
    try statement(
      """
      INSERT OR REPLACE INTO idempotency_keys
        (digest, user_id, fingerprint, salt, status, entity_tag, location, body, expires_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """
    ).run([
      .blob(key.digest), .optional(key.user?.value), .blob(answer.fingerprint),
      answer.salt.map(SQLiteValue.blob) ?? .null, .integer(Int64(answer.status)), .optional(answer.entityTag),
      .optional(answer.location), .blob(answer.body), .instant(expiry),
    ])
  }
}

extension SQLiteConnection {
  /// The answer under a key, unless it has expired.
  fileprivate func recordedAnswer(for key: IdempotencyKey, at now: Instant) throws -> RecordedAnswer? {
    try statement(
      """
      SELECT fingerprint, salt, status, entity_tag, location, body FROM idempotency_keys
      WHERE digest = ?1 AND expires_at > ?2
      """
    ).first([.blob(key.digest), .instant(now)]) { row in
      RecordedAnswer(
        fingerprint: row.blob(0), salt: row.isNull(1) ? nil : row.blob(1), status: Int(row.integer(2)),
        entityTag: row.optionalText(3), location: row.optionalText(4), body: row.blob(5))
    }
  }
}
