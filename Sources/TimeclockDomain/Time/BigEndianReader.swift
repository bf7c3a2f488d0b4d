/// Reads numbers in network byte order; every read past the end gives nil.
struct BigEndianReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes that are left.
  var remaining: Int { bytes.count - position }

  /// The next `count` bytes; `count` must not be negative.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= remaining else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func skip(_ count: Int) -> Bool {
    take(count) != nil
  }

  mutating func byte() -> UInt8? {
    take(1)?.first
  }

  mutating func uint32() -> UInt32? {
    take(4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  mutating func int32() -> Int32? {
    uint32().map { Int32(bitPattern: $0) }
  }

  mutating func int64() -> Int64? {
    take(8).map { Int64(bitPattern: $0.reduce(0) { $0 << 8 | UInt64($1) }) }
  }
}
