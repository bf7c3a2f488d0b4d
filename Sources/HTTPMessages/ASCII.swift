/// The few questions the parser asks of a byte. Nothing here looks beyond ASCII.
enum ASCII {
  /// `A` to `Z` as `a` to `z`; any other byte as it is.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
