/// How many requests a caller may make: so many at once, and so many in each minute from then on.
package struct RateLimit: Hashable, Sendable {
  /// The requests in a minute.
  package let requestsPerMinute: Int

  /// What `requestsPerMinute` may be.
  package static let allowed = 1...1_000_000

  /// Nil for a number that is not allowed.
  package init?(requestsPerMinute: Int) {
    guard Self.allowed.contains(requestsPerMinute) else { return nil }
    self.requestsPerMinute = requestsPerMinute
  }

  /// The time in which one more request comes free, in nanoseconds.
  var interval: Int64 { Self.minute / Int64(requestsPerMinute) }

  /// The time in which all of them come free, in nanoseconds: a minute, but for what is lost in rounding.
  var window: Int64 { interval * Int64(requestsPerMinute) }

  /// How many requests one with so many rows counts for: one for each ten, which take a database about as long as a
  /// request takes all in all; never more than there are in a minute, or a file could be too long for ever.
  func requests(ofRows rows: Int) -> Int {
    min(max(1, (rows + Self.rowsOfRequest - 1) / Self.rowsOfRequest), requestsPerMinute)
  }

  private static let rowsOfRequest = 10
  private static let minute: Int64 = 60_000_000_000
}
