import TimeclockDomain

/// The storage of the answers to requests that may come again.
///
/// Writes take an `AnswerRecording`: they look the key up first, and throw `AnsweredBefore` if there is an answer;
/// otherwise they do their work and keep the answer, all in one transaction. If another process does the same at the
/// same time, they throw `.requestInProgress`. A write that is refused keeps nothing.
package protocol AnswerStorage: Sendable {
  /// The answer under this key; nil if there is none, or it has expired.
  func recordedAnswer(for key: IdempotencyKey, at now: Instant) async throws -> RecordedAnswer?

  /// Keeps the answer to a request that changed nothing else.
  ///
  /// - Throws: `AnsweredBefore`; `.requestInProgress`.
  func recordAnswer(_ recording: AnswerRecording<Void>) async throws

  /// Removes answers that have expired.
  ///
  /// - Parameter limit: The most to remove, at least 1.
  /// - Returns: The number of answers that were removed; less than `limit` when none is left.
  func deleteExpiredAnswers(at now: Instant, limit: Int) async throws -> Int
}
