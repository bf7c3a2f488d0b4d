import CCrypto

/// A private key on the curve P-256, which signs by ECDSA with SHA-256 (FIPS 186-5).
///
/// Any thread signs: libcrypto does not change a key that was read, and each signature has a context of its own
/// (openssl-threads(7)).
package final class P256SigningKey: @unchecked Sendable {
  private let key: OpaquePointer
  private static let coordinateByteCount = 32

  /// Reads a key in the form PEM (PEM_read_bio_PrivateKey(3)): of PKCS #8 (RFC 5958) or of SEC 1 (RFC 5915), not encrypted.
  ///
  /// - Throws: `CryptographyError` for any other text.
  package init(pem: String) throws(CryptographyError) {
    let key = Array(pem.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
      guard let text = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
      defer { BIO_free(text) }
      // Nobody is asked for a passphrase.
      return PEM_read_bio_PrivateKey(text, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let key else { throw .latest }
    // Decoders that did not know the text have left errors behind.
    ERR_clear_error()
    guard Self.curve(of: key) == "prime256v1" else {
      EVP_PKEY_free(key)
      throw CryptographyError(reason: "a key on another curve than P-256")
    }
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  /// Signs a message.
  ///
  /// - Returns: The 64 bytes of r and s, one behind the other, as JSON Web Signatures have them (RFC 7518, section 3.4).
  /// - Throws: `CryptographyError` for want of memory.
  package func signature(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw .latest }
    defer { EVP_MD_CTX_free(context) }
    var encoded = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key)))
    var count = encoded.count
    // EVP_DigestSignInit(3).
    guard EVP_DigestSignInit(context, nil, DigestAlgorithm.sha256.pointer, nil, key) == 1,
      EVP_DigestSign(context, &encoded, &count, message, message.count) == 1
    else { throw .latest }
    return try Self.coordinates(of: Array(encoded.prefix(count)))
  }

  /// Takes r and s out of the form in which libcrypto has them, DER (ECDSA_SIG_new(3)).
  private static func coordinates(of encoded: [UInt8]) throws(CryptographyError) -> [UInt8] {
    let signature = encoded.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_ECDSA_SIG(nil, &start, bytes.count)
    }
    guard let signature else { throw .latest }
    defer { ECDSA_SIG_free(signature) }
    var bytes: [UInt8] = []
    for number in [ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature)] {
      var coordinate = [UInt8](repeating: 0, count: coordinateByteCount)
      let length = Int32(coordinateByteCount)
      guard BN_bn2binpad(number, &coordinate, length) == length else { throw .latest }
      bytes += coordinate
    }
    return bytes
  }

  /// The name that libcrypto has for the curve of a key; nil for a key on none.
  private static func curve(of key: OpaquePointer) -> String? {
    var name = [CChar](repeating: 0, count: 32)
    var count = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return nil }
    return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
