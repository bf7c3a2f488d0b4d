/// The public id of one kind of thing: a UUID of version 7 (RFC 9562, section 5.7), opaque to clients.
///
/// `Subject` is the kind, so that an id of one kind cannot be passed for another.
package struct Identifier<Subject>: Hashable, Sendable {
  /// The first 64 bits.
  @usableFromInline
  package let high: UInt64
  /// The last 64 bits.
  @usableFromInline
  package let low: UInt64

  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads the only form this service writes: 36 characters, lower-case hexadecimal digits, hyphens, with the
  /// version and the variant of RFC 9562.
  ///
  /// Nil for any other text, upper case included: an id has one spelling.
  ///
  /// Inlinable, so that other modules read an id without looking up its kind at run time.
  @inlinable
  package init?(_ text: String) {
    guard let (high, low) = IdentifierText.halves(text) else { return nil }
    self.init(high: high, low: low)
  }

  /// The id as 36 ASCII characters.
  package var text: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      write(to: buffer)
      return 36
    }
  }

  /// Appends the id as 36 ASCII characters.
  package func append(to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
      write(to: buffer)
      bytes.append(contentsOf: buffer)
    }
  }

  /// Fills the first 36 places of `buffer`, which it must have.
  package func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
    let text = UnsafeMutableRawBufferPointer(buffer)
    let second = Self.hexDigits(of: high)
    let third = Self.hexDigits(of: low >> 32)
    text.storeBytes(of: Self.hexDigits(of: high >> 32).bigEndian, as: UInt64.self)
    text.storeBytes(of: UInt32(truncatingIfNeeded: second >> 32).bigEndian, toByteOffset: 9, as: UInt32.self)
    text.storeBytes(of: UInt32(truncatingIfNeeded: second).bigEndian, toByteOffset: 14, as: UInt32.self)
    text.storeBytes(of: UInt32(truncatingIfNeeded: third >> 32).bigEndian, toByteOffset: 19, as: UInt32.self)
    text.storeBytes(of: UInt32(truncatingIfNeeded: third).bigEndian, toByteOffset: 24, as: UInt32.self)
    text.storeBytes(of: Self.hexDigits(of: low).bigEndian, toByteOffset: 28, as: UInt64.self)
    for position in stride(from: 8, through: 23, by: 5) { buffer[position] = UInt8(ascii: "-") }
  }

  /// The eight hexadecimal digits of a number's last 32 bits, in lower case, the first one in the highest byte.
  ///
  /// All at once, because every answer holds several ids.
  @inline(__always)
  private static func hexDigits(of number: UInt64) -> UInt64 {
    // One digit in each byte.
    var digits = number & 0xFFFF_FFFF
    digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
    digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
    digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
    // 1 in each byte whose digit is a letter.
    let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    let letterDistance = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
    return digits &+ 0x3030_3030_3030_3030 &+ letters &* letterDistance
  }
}

extension Identifier: CustomStringConvertible {
  package var description: String { text }
}

/// The id of a request in the log and in the log of changes.
package typealias RequestID = Identifier<Request>

/// The public id of any resource whose changes are kept.
package typealias ResourceID = Identifier<Snapshot>

/// A request that a client sent.
package enum Request {}

extension Identifier: Comparable {
  /// In the order of their texts, which is that of their creation but within a millisecond.
  package static func < (one: Identifier, other: Identifier) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}
