/// `forwarded-element`, one proxy's part of a `Forwarded` field (RFC 7239, section 4):
/// `for=192.0.2.43;proto=https`, `for="[2001:db8::1]:4711"`.
enum ForwardedElement {
  /// The address that the element's `for` names; nil if it names none, or if the element is malformed.
  static func address(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> IPAddress? {
    var position = start
    var node: Range<Int>?
    while position < end {
      guard let (name, value) = pair(bytes, at: &position, to: end) else { return nil }
      if bytes.equalsIgnoringCase("for", from: name.lowerBound, to: name.upperBound) {
        // No parameter may be repeated, because two proxies could take different ones.
        guard node == nil else { return nil }
        node = value
      }
      position = skippingSpace(bytes, from: position, to: end)
      guard position < end else { break }
      guard bytes[position] == ASCII.semicolon else { return nil }
      position = skippingSpace(bytes, from: position + 1, to: end)
    }
    return node.flatMap { ForwardedNode.address(ofNode: bytes, from: $0.lowerBound, to: $0.upperBound) }
  }

  /// Reads `token "=" ( token / quoted-string )`, the value without its quotes.
  private static func pair(
    _ bytes: Span<UInt8>, at position: inout Int, to end: Int
  ) -> (name: Range<Int>, value: Range<Int>)? {
    let name = token(bytes, at: &position, to: end)
    guard !name.isEmpty, position < end, bytes[position] == ASCII.equals else { return nil }
    position += 1
    if position < end, bytes[position] == ASCII.quotationMark {
      return quoted(bytes, at: &position, to: end).map { (name, $0) }
    }
    let value = token(bytes, at: &position, to: end)
    return value.isEmpty ? nil : (name, value)
  }

  private static func token(_ bytes: Span<UInt8>, at position: inout Int, to end: Int) -> Range<Int> {
    let start = position
    while position < end, ByteSet.token.contains(bytes[position]) { position += 1 }
    return start..<position
  }

  /// Returns the text between the quotes as it is: an address needs no backslash, and text with one is not an address.
  private static func quoted(_ bytes: Span<UInt8>, at position: inout Int, to end: Int) -> Range<Int>? {
    let start = position + 1
    var next = start
    while next < end, bytes[next] != ASCII.quotationMark {
      next += bytes[next] == ASCII.backslash ? 2 : 1
    }
    guard next < end else { return nil }
    position = next + 1
    return start..<next
  }

  private static func skippingSpace(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end, ASCII.isWhitespace(bytes[position]) { position += 1 }
    return position
  }
}
