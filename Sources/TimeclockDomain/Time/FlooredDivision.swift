extension Int64 {
  /// The quotient by a positive divisor, rounded towards minus infinity, as calendars count before 1970.
  @inline(__always)
  func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
