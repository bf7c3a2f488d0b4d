import Credentials
import HTTPMessages
import Synchronization
import TimeclockDomain

extension OperationRequest {
  /// Answers a request that may be repeated under an `Idempotency-Key`: it is performed once, and repetitions get the
  /// first answer, byte for byte. A request that a rule refused stays refused; a request that was not understood, not
  /// allowed or not possible at the time may be tried again under the same key.
  ///
  /// - Parameters:
  ///   - owner: The owner of the key, if not the caller.
  ///   - secrecy: The part of the request or the answer that must not be readable in the database.
  ///   - answer: Makes the answer, inside the transaction of the write.
  ///   - perform: Performs the request; hands the recording to the one write of the storage that performs it.
  /// - Throws: `RequestError.invalidParameter`; `.requestInProgress`; `.idempotencyKeyReused`; any error of `perform`.
  func once<Value: Sendable>(
    by owner: RequestIdentity.KeyOwner? = nil, secrecy: RequestSecrecy = .none,
    answer: @escaping @Sendable (Value) -> HTTPResponse,
    perform: (AnswerRecording<Value>?) async throws -> Value
  ) async throws -> HTTPResponse {
    guard let key = try idempotencyKey() else { return answer(try await perform(nil)) }
    let caller = authentication.map { (key: $0.user, id: $0.userID) }
    let identity = try await identity(key: key, by: owner ?? caller)
    guard context.requestsInProgress.begin(identity.key) else { throw TimeclockError.requestInProgress }
    defer { context.requestsInProgress.end(identity.key) }
    let now = timeclock.clock.now
    if let recorded = try await timeclock.storage.recordedAnswer(for: identity.key, at: now) {
      return try await replay(recorded, to: identity, secrecy)
    }
    let proof =
      switch secrecy {
      case .none: RequestProof(digest: identity.digest)
      case .answer: RequestProof(ofRequest: identity.digest)
      case .password(let caller): try await context.passwords.proof(ofRequest: identity.digest, by: caller)
      }
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
      return try await replay(before.answer, to: identity, secrecy)
    }
  }

  /// Returns the identity of the request under a key. Long content is hashed off the event loop, which serves others
  /// meanwhile.
  private func identity(key: String, by owner: RequestIdentity.KeyOwner?) async throws -> RequestIdentity {
    guard http.bodyFile != nil else { return try RequestIdentity(self, key: key, by: owner) }
    return try await Task.detached { try RequestIdentity(self, key: key, by: owner) }.value
  }

  /// Performs a write, and returns the answer that was recorded in its transaction.
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

  /// Returns the first request's answer, if the request is the same.
  private func replay(
    _ recorded: RecordedAnswer, to identity: RequestIdentity, _ secrecy: RequestSecrecy
  ) async throws -> HTTPResponse {
    var proof = RequestProof(digest: identity.digest)
    if let salt = recorded.salt {
      proof =
        if let quick = RequestProof(ofRequest: identity.digest, keptSalt: salt) {
          quick
        } else {
          try await context.passwords.proof(
            ofRequest: identity.digest, salt: salt, by: secrecy.caller ?? hashingCaller)
        }
    }
    guard proof.fingerprint == recorded.fingerprint else { throw TimeclockError.idempotencyKeyReused }
    return try HTTPResponse(recorded, openedWith: proof)
  }
}

/// The part of a repeatable request, or of its answer, that must not be readable in the database.
enum RequestSecrecy: Sendable {
  case none
  /// The answer holds a token.
  case answer
  /// The request holds a password, so the kept fingerprint must be slow to guess from. Hashing counts for this caller.
  case password(HashingCaller)

  fileprivate var caller: HashingCaller? {
    guard case .password(let caller) = self else { return nil }
    return caller
  }
}

/// The answer that was recorded last. A transaction that begins again makes its answer again.
private final class RecordedResponse: Sendable {
  let response = Mutex<HTTPResponse?>(nil)
}

extension TimeclockError {
  /// Whether the refusal is final for the request. Permissions are checked with every request, and a request that could
  /// not be performed may be possible later.
  fileprivate var isDecision: Bool {
    switch self {
    case .invalidToken, .invalidCredentials, .wrongPassword, .tooManyAttempts, .tooManyAtOnce, .forbidden,
      .callerDeactivated, .organizationDeactivated,
      .notFound(.organization), .idempotencyKeyReused, .requestInProgress:
      false
    default: !isOfService
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
