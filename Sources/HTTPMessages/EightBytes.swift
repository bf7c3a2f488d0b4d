/// Eight bytes at once, for the scans that look at every byte of a head.
struct EightBytes {
  private let word: UInt64

  /// The eight bytes at `position`, the first of them the lowest; the span must have them.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at position: Int) {
    // Any eight bytes are a number; the bounds are checked.
    word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
  }

  /// Whether there is neither CR nor LF.
  @inline(__always)
  var isFreeOfLineEnds: Bool {
    Self.zeros(word ^ Self.each(ASCII.carriageReturn)) | Self.zeros(word ^ Self.each(ASCII.lineFeed)) == 0
  }

  /// Whether there is neither a control character, HTAB included, nor DEL.
  @inline(__always)
  var isFreeOfControls: Bool {
    let controls = (word &- Self.each(0x20)) & ~word & Self.each(0x80)
    return controls | Self.zeros(word ^ Self.each(0x7F)) == 0
  }

  /// Returns a word that is not 0 if a byte is 0. A borrow may mark further bytes, but none if no byte is 0.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- each(0x01)) & ~word & each(0x80) }

  @inline(__always)
  private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
}
