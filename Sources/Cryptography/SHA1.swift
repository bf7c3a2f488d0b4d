/// SHA-1 (FIPS 180-4), which keeps nobody from making two texts with one digest: for protocols that ask for it, as RFC 6455
/// does.
package enum SHA1 {
  /// Returns the digest of bytes, of 20 bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes(DigestAlgorithm.sha1.hash) }
}
