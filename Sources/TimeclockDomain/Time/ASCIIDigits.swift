/// Writes short text of fixed length; the bytes are gathered first and appended at once, because an array
/// checks its room with every byte.
struct ASCIIDigits {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  private init(buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
  }

  /// Fills a buffer from its beginning; excess bytes are dropped.
  static func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>, _ write: (inout ASCIIDigits) -> Void) {
    var digits = ASCIIDigits(buffer: buffer)
    write(&digits)
  }

  /// Appends the output of `write`, `capacity` bytes at most; further ones are dropped.
  static func append(to bytes: inout [UInt8], capacity: Int, _ write: (inout ASCIIDigits) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      var digits = ASCIIDigits(buffer: buffer)
      write(&digits)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<digits.count]))
    }
  }

  @inline(__always)
  mutating func write(_ byte: UInt8) {
    guard count < buffer.count else { return }
    buffer[count] = byte
    count += 1
  }

  /// Writes the last two decimal digits of a number that is not negative.
  @inline(__always)
  mutating func writeTwoDigits(_ number: Int) {
    let pair = UInt32(truncatingIfNeeded: number) % 100
    // 103 / 1024 is a tenth of any number below 179.
    let tens = (pair &* 103) >> 10
    write(UInt8(truncatingIfNeeded: 0x30 &+ tens))
    write(UInt8(truncatingIfNeeded: 0x30 &+ pair &- 10 &* tens))
  }

  /// Writes the last decimal digit of a number that is not negative.
  mutating func writeDigit(_ number: Int) {
    write(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Writes `YYYY-MM-DD`.
  mutating func writeDate(_ date: LocalDate) {
    let (year, month, day) = date.yearMonthDay
    writeTwoDigits(year / 100)
    writeTwoDigits(year)
    write(UInt8(ascii: "-"))
    writeTwoDigits(month)
    write(UInt8(ascii: "-"))
    writeTwoDigits(day)
  }
}

extension [UInt8] {
  /// Appends an integer in decimal, without making a string of it.
  package mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    // The greatest magnitude has 19 digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 19) { digits in
      var first = digits.count
      var rest = number.magnitude
      repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }
}
