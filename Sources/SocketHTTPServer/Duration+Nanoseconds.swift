extension Duration {
  /// Whole nanoseconds, at least 0 and at most a year.
  var nanoseconds: Int64 {
    let year: Int64 = 365 * 86_400
    let seconds = components.seconds
    guard seconds >= 0 else { return 0 }
    guard seconds < year else { return year * 1_000_000_000 }
    return seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
