/// The answer that a request got, kept for its repetitions.
package struct RecordedAnswer: Hashable, Sendable {
  /// Distinguishes the request from others under the same key; 32 bytes.
  package var fingerprint: [UInt8]
  /// Given if the answer holds secrets and is kept in a form that only the request itself opens; 16 bytes.
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
  /// Makes the answer from the write's result. Called inside the transaction, again if that has to begin again.
  package var answer: @Sendable (Value) throws -> RecordedAnswer
  /// The time for which the answer is kept, in milliseconds.
  package var lifetime = IdempotencyKey.lifetime
  /// Further requests that the write does at once.
  package var others: [Other] = []

  /// A request that is done together with another.
  package struct Other: Sendable {
    package var key: IdempotencyKey
    /// Distinguishes the request from others under the same key; 32 bytes.
    package var fingerprint: [UInt8]
    /// Makes its answer; nil if it is the one that the write makes, but for the fingerprint.
    package var answer: (@Sendable (Value) throws -> RecordedAnswer)?

    package init(
      key: IdempotencyKey, fingerprint: [UInt8], answer: (@Sendable (Value) throws -> RecordedAnswer)? = nil
    ) {
      self.key = key
      self.fingerprint = fingerprint
      self.answer = answer
    }

    fileprivate func mapping<NewValue: Sendable>(
      _ transform: @escaping @Sendable (NewValue) -> Value
    ) -> AnswerRecording<NewValue>.Other {
      var other = AnswerRecording<NewValue>.Other(key: key, fingerprint: fingerprint)
      if let answer { other.answer = { try answer(transform($0)) } }
      return other
    }
  }

  package init(
    key: IdempotencyKey, time: Instant, answer: @escaping @Sendable (Value) throws -> RecordedAnswer
  ) {
    self.key = key
    self.time = time
    self.answer = answer
  }

  /// The instant from which on the answer is not kept any more.
  package var expiresAt: Instant { time.adding(milliseconds: lifetime) }

  /// The answers to keep, each under its key.
  package func answers(to value: Value) throws -> [(key: IdempotencyKey, answer: RecordedAnswer)] {
    let answer = try answer(value)
    return try [(key, answer)]
      + others.map { other in
        var own = try other.answer?(value) ?? answer
        own.fingerprint = other.fingerprint
        return (other.key, own)
      }
  }

  /// The same recording for a write that brings about something else, of which `transform` makes the value.
  package func mapping<NewValue: Sendable>(
    _ transform: @escaping @Sendable (NewValue) -> Value
  ) -> AnswerRecording<NewValue> {
    var other = AnswerRecording<NewValue>(key: key, time: time) { [answer] in try answer(transform($0)) }
    other.lifetime = lifetime
    other.others = others.map { $0.mapping(transform) }
    return other
  }
}
