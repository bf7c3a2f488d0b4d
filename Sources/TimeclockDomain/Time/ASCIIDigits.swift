extension [UInt8] {
  /// Appends the last `count` decimal digits of a number that is not negative, with leading zeros.
  mutating func appendDigits(_ number: Int, count: Int) {
    var scale = 1
    for _ in 1..<count { scale *= 10 }
    while scale > 0 {
      append(0x30 + UInt8(truncatingIfNeeded: number / scale % 10))
      scale /= 10
    }
  }
}
