import CCrypto

/// Codes by which a holder of the same key knows who wrote bytes: HMAC (RFC 2104) with SHA-256.
package enum HMACSHA256 {
  /// Returns the code of bytes, of 32 bytes (EVP_Q_mac(3)). It fails only for want of memory.
  package static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    // A short key is filled up with zeros, so one zero is as good as none, which libcrypto would refuse.
    let key = key.isEmpty ? [0] : key
    return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { code, count in
      let result = EVP_Q_mac(
        nil, "HMAC", nil, "SHA256", nil, key, key.count, bytes, bytes.count, code.baseAddress, code.count,
        &count)
      precondition(result != nil, "libcrypto computes no HMAC.")
    }
  }

  /// Derives a key of 32 bytes for one purpose from a secret (HKDF, RFC 5869, which needs one block for as many).
  package static func derivedKey(from secret: [UInt8], salt: [UInt8], info: [UInt8]) -> [UInt8] {
    code(of: info + [1], key: code(of: secret, key: salt))
  }
}
