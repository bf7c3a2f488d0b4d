/// The number of requests that a caller may make at once, and then in each minute.
package struct RateLimit: Hashable, Sendable {
  /// The requests in a minute.
  package let requestsPerMinute: Int

  /// The allowed values of `requestsPerMinute`.
  package static let allowed = 1...1_000_000

  /// Makes a limit; nil for a number that is not allowed.
  package init?(requestsPerMinute: Int) {
    guard Self.allowed.contains(requestsPerMinute) else { return nil }
    self.requestsPerMinute = requestsPerMinute
  }

  /// The time in which one more request becomes available, in nanoseconds.
  var interval: Int64 { Self.minute / Int64(requestsPerMinute) }

  /// The time in which all requests become available, in nanoseconds: a minute, apart from rounding.
  var window: Int64 { interval * Int64(requestsPerMinute) }

  /// The number of requests that the rows of one request count for: one for each ten rows, which take a database about as
  /// long as a whole request takes. It is never more than the requests in a minute; otherwise a file could be too long
  /// for ever.
  func requests(ofRows rows: Int) -> Int {
    min(max(1, (rows + Self.rowsOfRequest - 1) / Self.rowsOfRequest), requestsPerMinute)
  }

  private static let rowsOfRequest = 10
  private static let minute: Int64 = 60_000_000_000
}
