import CCrypto

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D): hides bytes, and reveals a change of them. What is sealed is a nonce of
/// 12 random bytes, the hidden bytes, and a tag of 16 bytes.
package enum AESGCM {
  private static let nonceByteCount = 12
  private static let tagByteCount = 16

  /// Seals bytes.
  ///
  /// - Parameter key: 32 bytes.
  /// - Throws: `CryptographyError` for another key, or for want of memory.
  package static func seal(_ bytes: [UInt8], key: [UInt8]) throws(CryptographyError) -> [UInt8] {
    let nonce = RandomBytes.make(nonceByteCount)
    let context = try Context(key: key, nonce: nonce, isSealing: true)
    var tag = [UInt8](repeating: 0, count: tagByteCount)
    let sealed = try context.bytes(for: bytes)
    try context.finish()
    try context.control(EVP_CTRL_AEAD_GET_TAG, &tag)
    return nonce + sealed + tag
  }

  /// Opens what was sealed with the same key.
  ///
  /// - Throws: `CryptographyError` if it was sealed with another key, or has changed.
  package static func open(_ sealed: [UInt8], key: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard sealed.count >= nonceByteCount + tagByteCount else { throw CryptographyError(reason: "too short") }
    let context = try Context(key: key, nonce: Array(sealed.prefix(nonceByteCount)), isSealing: false)
    let bytes = try context.bytes(for: Array(sealed.dropFirst(nonceByteCount).dropLast(tagByteCount)))
    var tag = Array(sealed.suffix(tagByteCount))
    try context.control(EVP_CTRL_AEAD_SET_TAG, &tag)
    try context.finish()
    return bytes
  }

  /// One use of the cipher (EVP_EncryptInit(3), "AEAD Interface").
  private struct Context: ~Copyable {
    private let pointer: OpaquePointer

    init(key: [UInt8], nonce: [UInt8], isSealing: Bool) throws(CryptographyError) {
      guard key.count == 32 else { throw CryptographyError(reason: "a key of another length than 32 bytes") }
      let made = EVP_CIPHER_CTX_new()
      guard let made, EVP_CipherInit_ex2(made, EVP_aes_256_gcm(), key, nonce, isSealing ? 1 : 0, nil) == 1
      else {
        EVP_CIPHER_CTX_free(made)
        throw .latest
      }
      pointer = made
    }

    deinit { EVP_CIPHER_CTX_free(pointer) }

    /// Hides bytes, or shows them.
    func bytes(for input: [UInt8]) throws(CryptographyError) -> [UInt8] {
      guard let length = Int32(exactly: input.count) else { throw CryptographyError(reason: "too long") }
      var output = [UInt8](repeating: 0, count: input.count)
      var count: Int32 = 0
      try check(EVP_CipherUpdate(pointer, &output, &count, input, length))
      return output
    }

    /// Makes the tag, or compares it.
    func finish() throws(CryptographyError) {
      // The mode has no last block.
      var none: UInt8 = 0
      var count: Int32 = 0
      try check(EVP_CipherFinal_ex(pointer, &none, &count))
    }

    func control(_ what: Int32, _ tag: inout [UInt8]) throws(CryptographyError) {
      try check(EVP_CIPHER_CTX_ctrl(pointer, what, Int32(tag.count), &tag))
    }

    private func check(_ result: Int32) throws(CryptographyError) {
      guard result == 1 else { throw .latest }
    }
  }
}
