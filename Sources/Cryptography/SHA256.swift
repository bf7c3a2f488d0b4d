import CCrypto

/// SHA-256 (FIPS 180-4) over bytes that come in parts. The thread that made it adds the parts (EVP_DigestInit(3)).
package struct SHA256: ~Copyable {
  /// The length of a digest.
  package static let byteCount = 32

  private let context: OpaquePointer

  package init() {
    guard let context = EVP_MD_CTX_new(),
      EVP_DigestInit_ex2(context, DigestAlgorithm.sha256.pointer, nil) == 1
    else { fatalError("libcrypto has no memory for SHA-256.") }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds the next part.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    precondition(
      EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "libcrypto takes no bytes for SHA-256.")
  }

  /// Adds the next part.
  package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Returns the digest of all parts, of `byteCount` bytes.
  package consuming func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
      precondition(
        EVP_DigestFinal_ex(context, digest.baseAddress, nil) == 1, "libcrypto computes no SHA-256.")
      count = Self.byteCount
    }
  }

  /// Returns the digest of bytes, of `byteCount` bytes.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { DigestAlgorithm.sha256.hash(bytes) }

  /// Returns the digest of bytes, of `byteCount` bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes(hash) }
}
