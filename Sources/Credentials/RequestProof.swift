import Cryptography

/// Proves that a request is the same as an earlier one, and hides an answer with secrets from readers of the database.
package struct RequestProof: Sendable {
  /// The 32 bytes that are kept for comparison.
  package let fingerprint: [UInt8]
  /// The bytes that are kept to make the same proof again; nil if the answer is not sealed.
  package let salt: [UInt8]?
  /// The key that seals the answer; nil if it is not sealed.
  private let key: [UInt8]?

  /// Makes the proof of a request without secrets: its digest.
  package init(digest: [UInt8]) {
    fingerprint = digest
    salt = nil
    key = nil
  }

  /// Makes the proof of a request with secrets, from 32 bytes that were hard to compute from it, or are hard to guess.
  /// The stored part reveals nothing about the key that seals the answer (RFC 5869).
  init(secret: [UInt8], salt: [UInt8], extraction: [UInt8] = []) {
    func derived(_ purpose: String) -> [UInt8] {
      HMACSHA256.derivedKey(from: secret, salt: extraction, info: Array(purpose.utf8))
    }
    fingerprint = derived("fingerprint")
    key = derived("answer")
    self.salt = salt
  }

  /// Makes the proof of a request without a password whose answer is secret. It is as hard to guess as the client's
  /// key, and does not occupy the threads that hash passwords.
  ///
  /// - Parameter digest: SHA-256 of all parts of the request.
  package init(ofRequest digest: [UInt8]) {
    self.init(ofRequest: digest, quickSalt: Self.quickSaltMark + PasswordHasher.randomSalt().dropFirst(4))
  }

  /// Makes the proof of a request again, with the salt that was kept of the first; nil for the salt of a slow proof.
  ///
  /// - Parameter digest: SHA-256 of all parts of the request.
  package init?(ofRequest digest: [UInt8], keptSalt salt: [UInt8]) {
    guard salt.starts(with: Self.quickSaltMark) else { return nil }
    self.init(ofRequest: digest, quickSalt: salt)
  }

  private init(ofRequest digest: [UInt8], quickSalt: [UInt8]) {
    self.init(secret: digest, salt: quickSalt, extraction: quickSalt)
  }

  /// The first bytes of the salts of quick proofs. The salt of a slow proof begins with them once in 2^32.
  private static let quickSaltMark: [UInt8] = [0, 0, 0, 0]

  /// Seals an answer for keeping.
  package func seal(_ answer: [UInt8]) throws -> [UInt8] {
    guard let key else { return answer }
    return try AESGCM.seal(answer, key: key)
  }

  /// Opens a sealed answer.
  package func open(_ kept: [UInt8]) throws -> [UInt8] {
    guard let key else { return kept }
    return try AESGCM.open(kept, key: key)
  }
}

extension PasswordHasher {
  /// Makes the proof of a request with secrets that takes as long to guess as a password.
  ///
  /// - Parameters:
  ///   - digest: SHA-256 of all parts of the request.
  ///   - salt: The salt of an earlier proof, to make the same proof; nil for a new one.
  /// - Throws: `TimeclockError.tooManyAtOnce` if too many proofs of the caller are being made, `.unavailable` if too
  ///   many of all callers are.
  package func proof(
    ofRequest digest: [UInt8], salt: [UInt8]? = nil, by caller: HashingCaller = .operator
  ) async throws -> RequestProof {
    let salt = salt ?? Self.randomSalt()
    let secret = try await derive(from: Hexadecimal.text(of: digest), salt: salt, by: caller)
    return RequestProof(secret: secret, salt: salt)
  }
}
