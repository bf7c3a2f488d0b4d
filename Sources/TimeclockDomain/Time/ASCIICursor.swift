/// A place in a short text, read byte by byte; a step that does not match leaves the place where it was.
package struct ASCIICursor {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A copy of `text`; nil when it is longer than `byteLimit`, before anything is copied.
  package init?(_ text: some Collection<UInt8>, byteLimit: Int) {
    guard text.count <= byteLimit else { return nil }
    // Copied from its storage, since a generic loop from another module costs more than the reading.
    self.init(text.withContiguousStorageIfAvailable { [UInt8]($0) } ?? [UInt8](text))
  }

  package var isAtEnd: Bool { position >= bytes.count }

  /// The byte here; nil at the end.
  package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Steps over `byte`; false when something else is here.
  package mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// Steps over one byte that satisfies `isWanted`; nil when none is here.
  package mutating func take(where isWanted: (UInt8) -> Bool) -> UInt8? {
    guard let byte = next, isWanted(byte) else { return nil }
    position += 1
    return byte
  }

  /// Reads one ASCII digit's value.
  package mutating func digit() -> Int? {
    take { $0 &- 0x30 < 10 }.map { Int($0 - 0x30) }
  }

  /// Reads exactly `count` digits, at most 18 so that the value cannot overflow.
  package mutating func number(digits count: Int) -> Int? {
    let start = position
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else {
        position = start
        return nil
      }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads all the digits that are here; nil when there is none or their value is over `limit`.
  package mutating func number(upTo limit: Int) -> Int? {
    guard var value = digit() else { return nil }
    while let digit = digit() {
      guard value <= limit else { return nil }
      value = value * 10 + digit
    }
    return value <= limit ? value : nil
  }
}
