import Cryptography

extension EntityTag {
  /// The weak tag of an answer that is composed each time, by everything that distinguishes it.
  static func weakText(of parts: [String]) -> String {
    var hash = SHA256()
    for part in parts {
      hash.update(Array(part.utf8))
      // UTF-8 text holds no byte 255, so no two lists of parts give the same bytes.
      hash.update([0xFF])
    }
    return "W/\"\(Hexadecimal.text(of: hash.finalize().prefix(16)))\""
  }
}
