import Crypto
import FoundationEssentials

/// Shows that a request is the same as one before, and hides the answer of one that deals in secrets from whoever
/// reads the database.
package struct RequestProof: Sendable {
  /// What is kept to compare with; 32 bytes.
  package let fingerprint: [UInt8]
  /// What is kept to make the same proof again; nil where the answer is not sealed.
  package let salt: [UInt8]?
  private let key: SymmetricKey?

  /// The proof of a request without secrets: its digest.
  package init(digest: [UInt8]) {
    fingerprint = digest
    salt = nil
    key = nil
  }

  /// The proof of a request with secrets, out of 32 bytes that were hard to compute from it, or are hard to guess. What
  /// is kept of it tells nothing of what seals the answer (RFC 5869).
  init(secret: [UInt8], salt: [UInt8], extraction: [UInt8] = []) {
    func derived(_ purpose: String) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: secret), salt: extraction, info: Data(purpose.utf8),
        outputByteCount: 32)
    }
    fingerprint = derived("fingerprint").withUnsafeBytes(Array.init)
    key = derived("answer")
    self.salt = salt
  }

  /// The proof of a request whose answer is secret and that holds no password. It is as hard to guess as the client's
  /// key, and costs nobody the threads that passwords wait for.
  ///
  /// - Parameter digest: SHA-256 of all that makes the request.
  package init(ofRequest digest: [UInt8]) {
    self.init(ofRequest: digest, quickSalt: Self.quickSaltMark + PasswordHasher.randomSalt().dropFirst(4))
  }

  /// The proof of a request again, by what was kept of the first; nil for the salt of a proof that is slow to make.
  ///
  /// - Parameter digest: SHA-256 of all that makes the request.
  package init?(ofRequest digest: [UInt8], keptSalt salt: [UInt8]) {
    guard salt.starts(with: Self.quickSaltMark) else { return nil }
    self.init(ofRequest: digest, quickSalt: salt)
  }

  private init(ofRequest digest: [UInt8], quickSalt: [UInt8]) {
    self.init(secret: digest, salt: quickSalt, extraction: quickSalt)
  }

  /// What the salts of proofs that are quick to make begin with, which those of other proofs do once in 2^32.
  private static let quickSaltMark: [UInt8] = [0, 0, 0, 0]

  /// What is kept of an answer.
  package func seal(_ answer: [UInt8]) throws -> [UInt8] {
    guard let key else { return answer }
    guard let sealed = try AES.GCM.seal(answer, using: key).combined else {
      throw CryptoKitError.incorrectParameterSize
    }
    return Array(sealed)
  }

  /// The answer, out of what is kept of it.
  package func open(_ kept: [UInt8]) throws -> [UInt8] {
    guard let key else { return kept }
    return Array(try AES.GCM.open(AES.GCM.SealedBox(combined: kept), using: key))
  }
}

extension PasswordHasher {
  /// The proof of a request that deals in secrets, and takes as long to guess as a password.
  ///
  /// - Parameters:
  ///   - digest: SHA-256 of all that makes the request.
  ///   - salt: That of an earlier proof, to make the same; nil for a new one.
  /// - Throws: `TimeclockError.tooManyAtOnce` when too many of the caller are being made, `.unavailable` when too many of
  ///   all are.
  package func proof(
    ofRequest digest: [UInt8], salt: [UInt8]? = nil, by caller: HashingCaller = .operator
  ) async throws -> RequestProof {
    let salt = salt ?? Self.randomSalt()
    let secret = try await derive(from: Hexadecimal.text(of: digest), salt: salt, by: caller)
    return RequestProof(secret: secret, salt: salt)
  }
}
