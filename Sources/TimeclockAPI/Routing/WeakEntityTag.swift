import Crypto

extension EntityTag {
  /// The weak tag of an answer that is composed each time, by everything that distinguishes it.
  static func weakText(of parts: [String]) -> String {
    var hash = SHA256()
    for part in parts {
      hash.update(data: Array(part.utf8))
      // UTF-8 text holds no byte 255, so no two lists of parts give the same bytes.
      hash.update(data: [0xFF])
    }
    let digits = Array("0123456789abcdef".utf8)
    let text = hash.finalize().prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "W/\"\(String(decoding: text, as: UTF8.self))\""
  }
}
