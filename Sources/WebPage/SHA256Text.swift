import Crypto

/// Digests as text.
enum SHA256Text {
  /// Returns the first digits of the bytes' SHA-256.
  static func hexadecimal(of bytes: [UInt8], digits: Int) -> String {
    let alphabet = Array("0123456789abcdef".utf8)
    let text = SHA256.hash(data: bytes).flatMap { [alphabet[Int($0 >> 4)], alphabet[Int($0 & 15)]] }
    return String(decoding: text.prefix(digits), as: UTF8.self)
  }
}
