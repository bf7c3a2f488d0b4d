extension [UInt8] {
  /// Appends the last two decimal digits of a number that is not negative.
  mutating func appendTwoDigits(_ number: Int) {
    appendDigit(number / 10)
    appendDigit(number)
  }

  /// Appends the last decimal digit of a number that is not negative.
  mutating func appendDigit(_ number: Int) {
    append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }
}
