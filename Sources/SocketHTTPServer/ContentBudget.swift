/// The request content that the connections of one event loop hold, and the limit for all of them together.
///
/// A request's content counts from its arrival until the task that answers it has returned, its connection
/// is closing or the request is refused. The first bytes of each request do not count: short requests, which
/// cost no more than their heads, are served however much content other requests send. Content beyond the length that
/// every request may have counts a second time, for half of the limit: long files leave room for other requests.
struct ContentBudget {
  /// The most bytes that may count.
  private let limit: Int
  /// The bytes that count of each request before its content is a long one.
  private let ordinaryByteCount: Int
  /// The bytes that count.
  private(set) var byteCount = 0
  /// The bytes among them that are beyond `ordinaryByteCount` of their requests.
  private var longByteCount = 0

  /// The bytes of each request's content that do not count.
  static let uncountedByteCount = 4096

  /// - Parameter ordinaryBodyByteCount: The most bytes of content that any request may have.
  init(limit: Int, ordinaryBodyByteCount: Int) {
    self.limit = limit
    ordinaryByteCount = max(0, ordinaryBodyByteCount - Self.uncountedByteCount)
  }

  /// Updates the count of a request's content, which now has `contentByteCount` bytes.
  ///
  /// - Parameter counted: The bytes that count for this request; changed together with the sum over all requests.
  /// - Returns: Whether the budget has room; if it has none, nothing has changed.
  mutating func count(contentByteCount: Int, as counted: inout Int) -> Bool {
    let wanted = max(0, contentByteCount - Self.uncountedByteCount)
    guard wanted != counted else { return true }
    let newLong = long(wanted) - long(counted)
    guard byteCount + wanted - counted <= limit, newLong <= 0 || longByteCount + newLong <= limit / 2 else {
      return false
    }
    byteCount += wanted - counted
    longByteCount += newLong
    counted = wanted
    return true
  }

  /// Takes a request's bytes out of the count.
  mutating func release(_ counted: Int) {
    byteCount -= counted
    longByteCount -= long(counted)
  }

  /// The part of a request's bytes that makes it a long one.
  private func long(_ counted: Int) -> Int { max(0, counted - ordinaryByteCount) }
}
