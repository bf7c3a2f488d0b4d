/// `uri-host [ ":" port ]`, the value of `Host` (RFC 9110, section 7.2; RFC 3986, section 3.2).
enum Authority {
  /// Whether the bytes from `start` up to `end` are a host that is not empty and, at most, a port.
  static func isValid(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    guard start < end else { return false }
    let hostEnd: Int
    if bytes[start] == ASCII.leftBracket {
      let bracket = bytes.index(of: ASCII.rightBracket, from: start, to: end)
      guard bracket < end, isAddressLiteral(bytes, from: start + 1, to: bracket) else { return false }
      hostEnd = bracket + 1
    } else {
      hostEnd = bytes.index(of: ASCII.colon, from: start, to: end)
      guard hostEnd > start, isRegisteredName(bytes, from: start, to: hostEnd) else { return false }
    }
    if hostEnd == end { return true }
    return bytes[hostEnd] == ASCII.colon && isPort(bytes, from: hostEnd + 1, to: end)
  }

  /// `*DIGIT` of at most 65535; RFC 3986 lets a port be empty.
  private static func isPort(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    var port = 0
    for position in start..<end {
      guard let digit = ASCII.digit(bytes[position]) else { return false }
      port = port * 10 + digit
      guard port <= 65_535 else { return false }
    }
    return true
  }

  /// `reg-name`, which IPv4 addresses are as well.
  private static func isRegisteredName(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    var position = start
    while position < end {
      if ByteSet.registeredName.contains(bytes[position]) {
        position += 1
      } else if bytes[position] == ASCII.percent, PercentEncoding.isValid(bytes, at: position, to: end) {
        position += 3
      } else {
        return false
      }
    }
    return true
  }

  /// Whether the text between brackets is `IPv6address / IPvFuture`.
  private static func isAddressLiteral(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    guard start < end else { return false }
    if ASCII.lowercased(bytes[start]) == 0x76 { return isFutureAddress(bytes, from: start + 1, to: end) }
    return IPAddress(ipv6: bytes, from: start, to: end) != nil
  }

  /// `1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`, which follows the `v`.
  private static func isFutureAddress(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    var position = start
    while position < end, ASCII.hexadecimalDigit(bytes[position]) != nil { position += 1 }
    guard position > start, position < end, bytes[position] == ASCII.dot else { return false }
    position += 1
    guard position < end else { return false }
    while position < end {
      guard ByteSet.registeredName.contains(bytes[position]) || bytes[position] == ASCII.colon
      else { return false }
      position += 1
    }
    return true
  }
}
