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

  /// The proof of a request with secrets, out of 32 bytes that were hard to compute from it. What is kept of it tells
  /// nothing of what seals the answer (RFC 5869).
  init(secret: [UInt8], salt: [UInt8]) {
    func derived(_ purpose: String) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: secret), info: Data(purpose.utf8), outputByteCount: 32)
    }
    fingerprint = derived("fingerprint").withUnsafeBytes(Array.init)
    key = derived("answer")
    self.salt = salt
  }

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
  /// - Throws: `TimeclockError.unavailable` when too many are being made.
  package func proof(ofRequest digest: [UInt8], salt: [UInt8]? = nil) async throws -> RequestProof {
    let salt = salt ?? Self.randomSalt()
    return RequestProof(secret: try await derive(from: Hexadecimal.text(of: digest), salt: salt), salt: salt)
  }
}
