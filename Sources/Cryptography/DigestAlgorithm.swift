import CCrypto

/// A digest as libcrypto computes it. It is looked up by its name once, as EVP_MD_fetch(3) advises: each further time would
/// take as long as it takes to hash a token.
///
/// Any thread uses it: libcrypto counts its references atomically, and never changes it (openssl-threads(7)).
struct DigestAlgorithm: @unchecked Sendable {
  let pointer: OpaquePointer
  let byteCount: Int

  static let sha1 = DigestAlgorithm("SHA1")
  static let sha256 = DigestAlgorithm("SHA256")

  private init(_ name: String) {
    // Threads that still hash while the program ends would do so with memory that libcrypto has freed, if it cleaned up
    // behind itself (OPENSSL_init_crypto(3)). The first call of all decides.
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    guard let pointer = EVP_MD_fetch(nil, name, nil) else {
      fatalError("libcrypto has no \(name): \(CryptographyError.latest.reason)")
    }
    self.pointer = pointer
    byteCount = Int(EVP_MD_get_size(pointer))
  }

  /// Returns the digest of bytes. It is computed at once, and fails only for want of memory.
  func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
      precondition(
        EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, nil, pointer, nil) == 1,
        "libcrypto computes no digest.")
      count = byteCount
    }
  }
}
