import Crypto
import TimeclockDomain

/// A secret that says who a request is from: 256 random bits as 64 lower-case hexadecimal characters.
package struct BearerToken: Sendable {
  /// The token as the client sends it; shown once, never stored, never logged.
  package let text: String

  /// A new token from the system's random source.
  package init() {
    var random = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    for _ in 0..<4 {
      withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
    }
    text = Hexadecimal.text(of: bytes)
  }

  /// What is kept of this token.
  package var digest: TokenDigest { Self.digest(of: text) }

  /// The digest of whatever a client sent as a token.
  package static func digest(of text: String) -> TokenDigest {
    var text = text
    return text.withUTF8(digest)
  }

  /// The digest of whatever bytes a client sent as a token.
  package static func digest(of bytes: UnsafeBufferPointer<UInt8>) -> TokenDigest {
    SHA256.hash(data: bytes).withUnsafeBytes(TokenDigest.init)
  }
}

enum Hexadecimal {
  static func text(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
