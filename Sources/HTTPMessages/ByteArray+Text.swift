extension [UInt8] {
  /// Appends the text's bytes.
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a number that is not negative, in decimal.
  package mutating func appendDecimal(_ number: Int) {
    if number >= 10 { appendDecimal(number / 10) }
    append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Appends a number in decimal with leading zeros; digits beyond `digitCount` are left out.
  mutating func appendDecimal(_ number: Int64, digitCount: Int) {
    var divisor: Int64 = 1
    for _ in 1..<digitCount { divisor *= 10 }
    while divisor > 0 {
      append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  /// Appends a number in lower-case hexadecimal.
  mutating func appendHexadecimal(_ number: Int) {
    let bits = UInt(bitPattern: number)
    var shift = Swift.max(0, (UInt.bitWidth - 1 - bits.leadingZeroBitCount) / 4 * 4)
    while shift >= 0 {
      let digit = UInt8(truncatingIfNeeded: bits >> UInt(shift) & 15)
      append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      shift -= 4
    }
  }
}
