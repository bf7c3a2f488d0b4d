/// A set of ASCII bytes in two words, so that asking is one shift and needs no table in memory.
///
/// The words are written out, because a computed constant would cost a lazy initializer's check on
/// every access; the tests compare each set with the characters the RFC lists.
struct ByteSet {
  /// Bit n stands for byte n.
  let low: UInt64
  /// Bit n stands for byte 64 + n.
  let high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte < 64 ? low : byte < 128 ? high : 0
    return word &>> UInt64(byte & 63) & 1 != 0
  }

  /// `tchar` (RFC 9110, section 5.6.2).
  @inline(__always)
  static var token: ByteSet { ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }

  /// `unreserved` and `sub-delims` (RFC 3986, sections 2.2 and 2.3): a registered name, unescaped.
  @inline(__always)
  static var registeredName: ByteSet { ByteSet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }

  /// `pchar` and `/`, unescaped (RFC 3986, section 3.3): a path, and with `?` a query.
  @inline(__always)
  static var path: ByteSet { ByteSet(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF) }
}
