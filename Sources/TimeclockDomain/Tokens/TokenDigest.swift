/// The SHA-256 of a bearer token: all of it that is ever stored.
package struct TokenDigest: Hashable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}
