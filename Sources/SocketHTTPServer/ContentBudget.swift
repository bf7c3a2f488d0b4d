/// The request content that the connections of one event loop hold in memory, and the limit for all of them together.
///
/// A request's content counts from its arrival until the task that answers it has returned, its connection
/// is closing or the request is refused. The first bytes of each request do not count: short requests, which
/// cost no more than their heads, are served however much content other requests send. Content in a file does not count
/// (`ContentSpools`).
struct ContentBudget {
  /// The most bytes that may count.
  private let limit: Int
  /// The bytes that count.
  private(set) var byteCount = 0

  /// The bytes of each request's content that do not count.
  static let uncountedByteCount = 4096

  init(limit: Int) {
    self.limit = limit
  }

  /// Updates the count of a request's content, which now has `contentByteCount` bytes.
  ///
  /// - Parameter counted: The bytes that count for this request; changed together with the sum over all requests.
  /// - Returns: Whether the budget has room; if it has none, nothing has changed.
  mutating func count(contentByteCount: Int, as counted: inout Int) -> Bool {
    let wanted = max(0, contentByteCount - Self.uncountedByteCount)
    guard wanted != counted else { return true }
    guard wanted < counted || byteCount + wanted - counted <= limit else { return false }
    byteCount += wanted - counted
    counted = wanted
    return true
  }

  /// Takes a request's bytes out of the count.
  mutating func release(_ counted: Int) {
    byteCount -= counted
  }
}
