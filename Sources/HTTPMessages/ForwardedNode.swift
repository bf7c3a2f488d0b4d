/// An address in the forms in which proxies state it to the server behind them.
enum ForwardedNode {
  /// Reads an element of `X-Forwarded-For`, which no standard describes: an address of either family, or an IPv6
  /// address in brackets, with an optional port after IPv4 and brackets. Nil for anything else, such as `unknown`.
  static func address(ofElement bytes: Span<UInt8>, from start: Int, to end: Int) -> IPAddress? {
    IPAddress(bytes, from: start, to: end) ?? address(ofNode: bytes, from: start, to: end)
  }

  /// Reads `node` (RFC 7239, section 6): an IPv4 address, or an IPv6 address in brackets, with an optional port. Nil for
  /// anything else, such as `unknown` and obfuscated identifiers, which are not addresses.
  static func address(ofNode bytes: Span<UInt8>, from start: Int, to end: Int) -> IPAddress? {
    guard start < end else { return nil }
    let isBracketed = bytes[start] == ASCII.leftBracket
    let mark = isBracketed ? ASCII.rightBracket : ASCII.colon
    let nameEnd = bytes.index(of: mark, from: start, to: end)
    let portStart = isBracketed ? nameEnd + 1 : nameEnd
    guard !isBracketed || nameEnd < end, isPort(bytes, from: portStart, to: end) else { return nil }
    guard isBracketed else { return IPAddress(bytes, from: start, to: nameEnd) }
    return IPAddress(ipv6: bytes, from: start + 1, to: nameEnd)
  }

  /// Whether the rest is empty, or a colon and `node-port`: one to five digits, or `obfport`.
  private static func isPort(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    guard start < end else { return true }
    guard bytes[start] == ASCII.colon, start + 1 < end else { return false }
    if bytes[start + 1] == UInt8(ascii: "_") {
      return start + 2 < end && all(bytes, from: start + 2, to: end) { isObfuscated($0) }
    }
    return end - start <= 6 && all(bytes, from: start + 1, to: end) { ASCII.digit($0) != nil }
  }

  /// `ALPHA / DIGIT / "." / "_" / "-"`.
  private static func isObfuscated(_ byte: UInt8) -> Bool {
    ASCII.digit(byte) != nil || ASCII.lowercased(byte) &- 0x61 < 26 || byte == ASCII.dot
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }

  private static func all(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, _ isAllowed: (UInt8) -> Bool
  ) -> Bool {
    for position in start..<end where !isAllowed(bytes[position]) { return false }
    return true
  }
}
