import Cryptography
import TimeclockDomain

/// A secret that identifies the sender of a request: 256 random bits as 64 lower-case hexadecimal characters.
package struct BearerToken: Sendable {
  /// The token as the client sends it. It is shown once, never stored and never logged.
  package let text: String

  /// Makes a new token from the system's random source.
  package init() {
    var random = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    for _ in 0..<4 {
      withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
    }
    text = Hexadecimal.text(of: bytes)
  }

  /// The token's digest, which is stored.
  package var digest: TokenDigest { Self.digest(of: text) }

  /// Returns the digest of any text that a client sent as a token.
  package static func digest(of text: String) -> TokenDigest {
    var text = text
    return text.withUTF8(digest)
  }

  /// Returns the digest of any bytes that a client sent as a token.
  package static func digest(of bytes: UnsafeBufferPointer<UInt8>) -> TokenDigest {
    TokenDigest(bytes: SHA256.hash(UnsafeRawBufferPointer(bytes)))
  }
}
