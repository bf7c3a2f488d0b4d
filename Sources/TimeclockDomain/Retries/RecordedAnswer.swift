/// The answer that a request got, kept for its repetitions.
package struct RecordedAnswer: Hashable, Sendable {
  /// Tells the request from others under the same key; 32 bytes.
  package var fingerprint: [UInt8]
  /// Given where the answer holds secrets and is kept in a form that only the request itself opens; 16 bytes.
  package var salt: [UInt8]?
  /// The status of the HTTP response.
  package var status: Int
  /// The value of the response's `ETag` field.
  package var entityTag: String?
  /// The value of the response's `Location` field.
  package var location: String?
  /// The response's content, byte for byte, or its sealed form.
  package var body: [UInt8]

  package init(
    fingerprint: [UInt8], salt: [UInt8]?, status: Int, entityTag: String?, location: String?, body: [UInt8]
  ) {
    self.fingerprint = fingerprint
    self.salt = salt
    self.status = status
    self.entityTag = entityTag
    self.location = location
    self.body = body
  }
}

/// Thrown by a write that was not done, because it was done before under the same key.
package struct AnsweredBefore: Error {
  /// The answer of the first time.
  package let answer: RecordedAnswer

  package init(_ answer: RecordedAnswer) {
    self.answer = answer
  }
}

/// Has a write keep the answer to its request in its own transaction, so that there is never one without the
/// other, and that the write happens once however often the request comes.
package struct AnswerRecording<Value: Sendable>: Sendable {
  package var key: IdempotencyKey
  /// The moment of the request; an answer that has expired by then is as good as absent.
  package var time: Instant
  /// Makes the answer from what the write has brought about. Called inside the transaction, again if that has to
  /// begin again.
  package var answer: @Sendable (Value) throws -> RecordedAnswer

  package init(
    key: IdempotencyKey, time: Instant, answer: @escaping @Sendable (Value) throws -> RecordedAnswer
  ) {
    self.key = key
    self.time = time
    self.answer = answer
  }

  /// The instant from which on the answer is not kept any more.
  package var expiresAt: Instant { time.adding(milliseconds: IdempotencyKey.lifetime) }

  /// The same recording for a write that brings about something else, of which `transform` makes the value.
  package func mapping<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Value
  ) -> AnswerRecording<Other> {
    AnswerRecording<Other>(key: key, time: time) { [answer] in try answer(transform($0)) }
  }
}
