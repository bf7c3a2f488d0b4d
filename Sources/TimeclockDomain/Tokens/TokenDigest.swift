/// The SHA-256 of a bearer token: all of it that is ever stored.
package struct TokenDigest: Hashable, Sendable {
  /// The digest's 32 bytes, eight in each; inline, because a digest is looked up with every request.
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// A digest from its bytes; bytes that are missing of the 32 count as zero.
  package init(_ bytes: UnsafeRawBufferPointer) {
    func word(_ index: Int) -> UInt64 {
      if index * 8 + 8 <= bytes.count {
        return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
      }
      return (0..<8).reduce(0) { word, offset in
        let position = index * 8 + offset
        return word << 8 | (position < bytes.count ? UInt64(bytes[position]) : 0)
      }
    }
    words = (word(0), word(1), word(2), word(3))
  }

  /// A digest from its bytes; bytes that are missing of the 32 count as zero.
  package init(bytes: [UInt8]) {
    self = bytes.withUnsafeBytes(TokenDigest.init)
  }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
  }

  package static func == (first: TokenDigest, second: TokenDigest) -> Bool {
    first.words == second.words
  }

  package func hash(into hasher: inout Hasher) {
    // Any part of a cryptographic digest is spread as evenly as all of it.
    hasher.combine(words.0)
  }
}
