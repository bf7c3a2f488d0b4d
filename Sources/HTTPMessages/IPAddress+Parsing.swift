extension IPAddress {
  /// Reads the bytes from `start` up to `end` as an address of either family.
  init?(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    if let octets = Self.ipv4(bytes, from: start, to: end) {
      self.init(bits: 0xFFFF << 32 | UInt128(octets))
    } else {
      self.init(ipv6: bytes, from: start, to: end)
    }
  }

  /// Reads the bytes from `start` up to `end` as `IPv6address` (RFC 3986, section 3.2.2).
  init?(ipv6 bytes: Span<UInt8>, from start: Int, to end: Int) {
    var position = start
    var value: UInt128 = 0
    var groupCount = 0
    // The number of groups before `::`.
    var compression: Int?
    if end - start >= 2, bytes[start] == ASCII.colon {
      guard bytes[start + 1] == ASCII.colon else { return nil }
      compression = 0
      position = start + 2
    }
    while position < end {
      let groupStart = position
      var group: UInt128 = 0
      while position < end, let digit = ASCII.hexadecimalDigit(bytes[position]) {
        group = group << 4 | UInt128(digit)
        position += 1
      }
      if position < end, bytes[position] == ASCII.dot {
        guard groupCount <= 6, let octets = Self.ipv4(bytes, from: groupStart, to: end) else { return nil }
        value = value << 32 | UInt128(octets)
        groupCount += 2
        break
      }
      guard (1...4).contains(position - groupStart), groupCount < 8 else { return nil }
      value = value << 16 | group
      groupCount += 1
      if position == end { break }
      guard bytes[position] == ASCII.colon, position + 1 < end else { return nil }
      position += 1
      if bytes[position] == ASCII.colon {
        guard compression == nil else { return nil }
        compression = groupCount
        position += 1
      }
    }
    guard let compression else {
      guard groupCount == 8 else { return nil }
      self.init(bits: value)
      return
    }
    guard groupCount <= 7 else { return nil }
    // A shift by 128 gives 0, which is right, because no groups are on that side.
    let tailBitCount = 16 * (groupCount - compression)
    let tail = value & ~(UInt128.max << tailBitCount)
    let head = value >> tailBitCount
    self.init(bits: head << (16 * (8 - compression)) | tail)
  }

  /// `IPv4address`: four `dec-octet`s without leading zeros.
  private static func ipv4(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt32? {
    var octets: UInt32 = 0
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
      guard length > 0, value <= 255, length == 1 || bytes[octetStart] != 0x30 else { return nil }
      octets = octets << 8 | UInt32(truncatingIfNeeded: value)
      octetCount += 1
      if position == end { return octetCount == 4 ? octets : nil }
      guard octetCount < 4, bytes[position] == ASCII.dot else { return nil }
      position += 1
    }
  }
}
