/// `IPv6address` (RFC 3986, section 3.2.2).
enum IPv6Address {
  /// Whether the bytes from `start` up to `end` are an IPv6 address.
  static func isValid(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    var position = start
    var groupCount = 0
    var isCompressed = false
    if end - start >= 2, bytes[start] == ASCII.colon {
      guard bytes[start + 1] == ASCII.colon else { return false }
      isCompressed = true
      position = start + 2
      if position == end { return true }
    }
    while position < end {
      let groupStart = position
      while position < end, ASCII.hexadecimalDigit(bytes[position]) != nil { position += 1 }
      if position < end, bytes[position] == ASCII.dot {
        guard isIPv4(bytes, from: groupStart, to: end) else { return false }
        groupCount += 2
        break
      }
      guard (1...4).contains(position - groupStart) else { return false }
      groupCount += 1
      if position == end { break }
      guard bytes[position] == ASCII.colon, position + 1 < end else { return false }
      position += 1
      if bytes[position] == ASCII.colon {
        guard !isCompressed else { return false }
        isCompressed = true
        position += 1
      }
    }
    return isCompressed ? groupCount <= 7 : groupCount == 8
  }

  /// `IPv4address`: four `dec-octet`s without leading zeros.
  private static func isIPv4(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    var octetCount = 0
    var position = start
    while true {
      let octetStart = position
      var value = 0
      while position < end, position - octetStart < 3, let digit = ASCII.digit(bytes[position]) {
        value = value * 10 + digit
        position += 1
      }
      let length = position - octetStart
      guard length > 0, value <= 255, length == 1 || bytes[octetStart] != 0x30 else { return false }
      octetCount += 1
      if position == end { return octetCount == 4 }
      guard bytes[position] == ASCII.dot else { return false }
      position += 1
    }
  }
}
