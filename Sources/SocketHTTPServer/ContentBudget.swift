/// The request content that the connections of one event loop hold, and the most they may hold together.
///
/// A request's content counts from its arrival until the task that answers it has returned, its connection
/// is closing or the request is refused. The first bytes of each request do not count: short requests, which
/// cost no more than their heads, are served however much long content others have on the way.
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

  /// Counts a request's content anew, now that it has `contentByteCount` bytes.
  ///
  /// - Parameter counted: The bytes that count for this request; changed together with the sum of them all.
  /// - Returns: Whether there is room; if there is none, nothing has changed.
  mutating func count(contentByteCount: Int, as counted: inout Int) -> Bool {
    let wanted = max(0, contentByteCount - Self.uncountedByteCount)
    guard wanted != counted else { return true }
    guard byteCount + wanted - counted <= limit else { return false }
    byteCount += wanted - counted
    counted = wanted
    return true
  }

  /// Counts a request's bytes no longer.
  mutating func release(_ counted: Int) {
    byteCount -= counted
  }
}
