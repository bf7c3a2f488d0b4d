/// The header of a client's frame (RFC 6455, section 5.2), collected from bytes that come in any pieces.
struct WebSocketFrameHeader: Sendable {
  /// A header that came whole.
  struct Whole {
    var isFinal: Bool
    var opcode: WebSocketOpcode
    var byteCount: UInt64
    var mask: (UInt8, UInt8, UInt8, UInt8)
  }

  /// The most bytes of a header: two, a length of eight, and a mask of four.
  private static let maximumByteCount = 14

  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(Self.maximumByteCount)
  }

  /// Takes the next byte; the header if that was its last one.
  ///
  /// - Throws: `.protocolError` for reserved bits and opcodes, a frame without a mask, a control frame that is longer than
  ///   125 bytes or a fragment, and a length that is not in its shortest form or has its first bit set.
  mutating func take(_ byte: UInt8) throws(WebSocketFailure) -> Whole? {
    bytes.append(byte)
    switch bytes.count {
    case 1:
      guard byte & 0x70 == 0, let opcode = WebSocketOpcode(rawValue: byte & 0x0F),
        !opcode.isControl || byte & 0x80 != 0
      else { throw .protocolError }
      return nil
    case 2:
      let isControl = bytes[0] & 0x08 != 0
      guard byte & 0x80 != 0, !isControl || byte & 0x7F <= 125 else { throw .protocolError }
      return nil
    default:
      let lengthByteCount = Self.lengthByteCount(bytes[1] & 0x7F)
      guard bytes.count >= 2 + lengthByteCount else { return nil }
      // As soon as the length is there, so that nothing waits for a mask.
      let byteCount = try length(lengthByteCount)
      guard bytes.count == 2 + lengthByteCount + 4, let opcode = WebSocketOpcode(rawValue: bytes[0] & 0x0F)
      else { return nil }
      let mask = bytes.suffix(4)
      let first = mask.startIndex
      let whole = Whole(
        isFinal: bytes[0] & 0x80 != 0, opcode: opcode, byteCount: byteCount,
        mask: (mask[first], mask[first + 1], mask[first + 2], mask[first + 3]))
      bytes.removeAll(keepingCapacity: true)
      return whole
    }
  }

  private static func lengthByteCount(_ short: UInt8) -> Int {
    switch short {
    case 126: 2
    case 127: 8
    default: 0
    }
  }

  private func length(_ byteCount: Int) throws(WebSocketFailure) -> UInt64 {
    guard byteCount > 0 else { return UInt64(bytes[1] & 0x7F) }
    let length = bytes[2..<2 + byteCount].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let isShortest = byteCount == 2 ? length > 125 : length > UInt64(UInt16.max)
    guard isShortest, length >> 63 == 0 else { throw .protocolError }
    return length
  }
}
