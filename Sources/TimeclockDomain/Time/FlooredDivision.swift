/// Division by a positive number as calendars count, through zero to dates before 1970.
extension FixedWidthInteger where Self: SignedInteger {
  /// The quotient by a positive divisor, rounded towards minus infinity.
  @inline(__always)
  func flooredQuotient(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The remainder of `flooredQuotient(by:)`: never negative, less than the divisor.
  @inline(__always)
  func flooredRemainder(by divisor: Self) -> Self {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
