import CCrypto

/// A P-256 key of tests, and the verification of what it signed, which the service itself never does.
package enum P256Verification {
  /// The private key, in the form PEM, PKCS #8.
  package static let privateKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1TedN13idLrrOeHm
    FyORy2gC0Z6GEA4o1AOMHA6YpzShRANCAARp2mYLv+LF6CeEQm0VU0JdYsK5kh6C
    NJgu8+HBqn9ZDSi0FVG3Wj77eB7BX6HpC0U/76H4xOIfUdtUgHf95u9Z
    -----END PRIVATE KEY-----

    """

  /// Its public key.
  package static let publicKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEadpmC7/ixegnhEJtFVNCXWLCuZIe
    gjSYLvPhwap/WQ0otBVRt1o++3gewV+h6QtFP++h+MTiH1HbVIB3/ebvWQ==
    -----END PUBLIC KEY-----

    """

  /// Whether 64 bytes are r and s of a signature of the message by ECDSA with SHA-256, made with the key.
  package static func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    let key = Array(publicKey.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
      let text = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
      defer { BIO_free(text) }
      return PEM_read_bio_PUBKEY(text, nil, nil, nil)
    }
    let context = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(context)
      EVP_PKEY_free(key)
    }
    guard signature.count == 64, EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else {
      return false
    }
    let encoded = encoded(signature)
    return EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
  }

  /// Writes r and s in the form DER.
  private static func encoded(_ signature: [UInt8]) -> [UInt8] {
    let both = ECDSA_SIG_new()
    defer { ECDSA_SIG_free(both) }
    ECDSA_SIG_set0(
      both, BN_bin2bn(Array(signature.prefix(32)), 32, nil), BN_bin2bn(Array(signature.suffix(32)), 32, nil))
    var bytes = [UInt8](repeating: 0, count: Int(i2d_ECDSA_SIG(both, nil)))
    bytes.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      i2d_ECDSA_SIG(both, &start)
    }
    return bytes
  }
}
