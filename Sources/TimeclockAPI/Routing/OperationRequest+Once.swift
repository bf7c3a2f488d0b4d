import Credentials
import HTTPMessages
import Synchronization
import TimeclockDomain

extension OperationRequest {
  /// Answers a request that may come again under an `Idempotency-Key`: it is done once, and later ones get the first
  /// answer, byte for byte. What was refused by a rule stays refused; what was not understood, not allowed or not
  /// possible at the time may be tried again under the same key.
  ///
  /// - Parameters:
  ///   - user: Who asks, where that is not the caller.
  ///   - isSecret: Whether the body or the answer holds secrets, which are not to be read in the database.
  ///   - answer: Makes the answer, inside the transaction of the write.
  ///   - perform: Does what is asked for; hands the recording to the one write of the storage that does it.
  /// - Throws: `RequestError.invalidParameter`; `.requestInProgress`; `.idempotencyKeyReused`; what `perform` throws.
  func once<Value: Sendable>(
    by user: UserKey? = nil, isSecret: Bool = false,
    answer: @escaping @Sendable (Value) -> HTTPResponse,
    perform: (AnswerRecording<Value>?) async throws -> Value
  ) async throws -> HTTPResponse {
    guard let key = try idempotencyKey() else { return answer(try await perform(nil)) }
    let identity = RequestIdentity(self, key: key, by: user ?? authentication?.user)
    guard context.requestsInProgress.begin(identity.key) else { throw TimeclockError.requestInProgress }
    defer { context.requestsInProgress.end(identity.key) }
    let now = timeclock.clock.now
    if let recorded = try await timeclock.storage.recordedAnswer(for: identity.key, at: now) {
      return try await replay(recorded, to: identity)
    }
    let proof =
      isSecret
      ? try await context.passwords.proof(ofRequest: identity.digest) : RequestProof(digest: identity.digest)
    do {
      do {
        return try await record(identity.key, proof, at: now, answer, perform)
      } catch let refusal as TimeclockError where refusal.isDecision {
        let response = Problem(refusal, at: now).response
        return try await record(identity.key, proof, at: now, { _ in response }) { recording in
          try await timeclock.storage.recordAnswer(recording)
        }
      }
    } catch let before as AnsweredBefore {
      return try await replay(before.answer, to: identity)
    }
  }

  /// Performs a write, and answers with what was recorded in its transaction.
  private func record<Value: Sendable>(
    _ key: IdempotencyKey, _ proof: RequestProof, at now: Instant,
    _ answer: @escaping @Sendable (Value) -> HTTPResponse,
    _ perform: (AnswerRecording<Value>) async throws -> Value
  ) async throws -> HTTPResponse {
    let recorded = RecordedResponse()
    let value = try await perform(
      AnswerRecording(key: key, time: now) { value in
        let response = answer(value)
        recorded.response.withLock { $0 = response }
        return try response.recorded(with: proof)
      })
    return recorded.response.withLock { $0 } ?? answer(value)
  }

  /// The answer of the first time, if the request is the same.
  private func replay(_ recorded: RecordedAnswer, to identity: RequestIdentity) async throws -> HTTPResponse {
    var proof = RequestProof(digest: identity.digest)
    if let salt = recorded.salt {
      proof = try await context.passwords.proof(ofRequest: identity.digest, salt: salt)
    }
    guard proof.fingerprint == recorded.fingerprint else { throw TimeclockError.idempotencyKeyReused }
    return try HTTPResponse(recorded, openedWith: proof)
  }
}

/// What was recorded last: a transaction that begins again makes its answer again.
private final class RecordedResponse: Sendable {
  let response = Mutex<HTTPResponse?>(nil)
}

extension TimeclockError {
  /// Whether this is the last word on what was asked for. Who may ask is judged anew with every request, and what
  /// could not be done may be possible later.
  fileprivate var isDecision: Bool {
    switch self {
    case .invalidToken, .invalidCredentials, .wrongPassword, .tooManyAttempts, .forbidden, .callerDeactivated,
      .notFound(.organization), .idempotencyKeyReused, .requestInProgress, .unavailable, .storageFull:
      false
    default: true
    }
  }
}

extension HTTPResponse {
  fileprivate func recorded(with proof: RequestProof) throws -> RecordedAnswer {
    var content: [UInt8] = []
    if case .bytes(let bytes) = body { content = bytes }
    return RecordedAnswer(
      fingerprint: proof.fingerprint, salt: proof.salt, status: status.code, entityTag: fields["ETag"],
      location: fields["Location"], body: try proof.seal(content))
  }

  fileprivate init(_ recorded: RecordedAnswer, openedWith proof: RequestProof) throws {
    let isProblem = recorded.status >= HTTPStatus.badRequest.code
    self.init(
      status: HTTPStatus(recorded.status), fields: isProblem ? StandardFields.problem : StandardFields.json,
      body: .bytes(try proof.open(recorded.body)))
    if let entityTag = recorded.entityTag { fields.append("ETag", entityTag) }
    if let location = recorded.location { fields.append("Location", location) }
    fields.append("Idempotency-Replayed", "true")
  }
}
