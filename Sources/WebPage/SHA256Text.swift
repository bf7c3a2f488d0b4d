import Crypto

/// Digests as text.
enum SHA256Text {
  /// Returns the first hexadecimal digits of a digest.
  static func digits(of digest: SHA256Digest, count: Int) -> String {
    let alphabet = Array("0123456789abcdef".utf8)
    let text = digest.flatMap { [alphabet[Int($0 >> 4)], alphabet[Int($0 & 15)]] }
    return String(decoding: text.prefix(count), as: UTF8.self)
  }
}
