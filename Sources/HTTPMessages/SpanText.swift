extension Span<UInt8> {
  /// The bytes from `start` up to `end` as text.
  func text(from start: Int, to end: Int) -> String {
    // The pointer is used only within the closure, and `extracting` has checked the bounds.
    extracting(start..<end).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the bytes from `start` up to `end` are exactly `text`.
  func equals(_ text: StaticString, from start: Int, to end: Int) -> Bool {
    guard end - start == text.utf8CodeUnitCount else { return false }
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    for offset in 0..<wanted.count where self[start + offset] != wanted[offset] { return false }
    return true
  }

  /// Whether the bytes from `start` up to `end` are `text`, which is in lower case, in any ASCII case.
  func equalsIgnoringCase(_ text: StaticString, from start: Int, to end: Int) -> Bool {
    guard end - start == text.utf8CodeUnitCount else { return false }
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    for offset in 0..<wanted.count where ASCII.lowercased(self[start + offset]) != wanted[offset] {
      return false
    }
    return true
  }

  /// The byte at `position`, nil behind the end.
  func first(from position: Int) -> UInt8? {
    position < count ? self[position] : nil
  }

  /// The first place of `byte` from `start` on, or `end` if it is not there.
  func index(of byte: UInt8, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end, self[position] != byte { position += 1 }
    return position
  }

  /// `start` and `end` moved inwards over white space (RFC 9110, section 5.6.3).
  func trimmed(from start: Int, to end: Int) -> Range<Int> {
    var lower = start
    var upper = end
    while lower < upper, ASCII.isWhitespace(self[lower]) { lower += 1 }
    while upper > lower, ASCII.isWhitespace(self[upper - 1]) { upper -= 1 }
    return lower..<upper
  }
}
