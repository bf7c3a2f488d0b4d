/// Counts the calls that no connection was free for in time, and says when that is worth a line in the log: at once, and
/// then every ten seconds at most, so that a database that is busy for hours does not fill the log too.
struct ExpiryTally {
  private var unreportedCount = 0
  private var nextReport = Int64.min

  /// Adds calls.
  ///
  /// - Parameter now: In the nanoseconds of the event loops, of which all have the same clock.
  /// - Returns: The number of calls since the last report; nil if it is too early for another one.
  mutating func add(_ count: Int, at now: Int64) -> Int? {
    unreportedCount += count
    guard now >= nextReport else { return nil }
    nextReport = now + Self.interval
    defer { unreportedCount = 0 }
    return unreportedCount
  }

  /// The time between two reports at least, in nanoseconds.
  static let interval: Int64 = 10_000_000_000
}
