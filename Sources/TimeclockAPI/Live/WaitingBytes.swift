import Synchronization

/// The bytes that wait in memory for clients that have not taken them yet, of many of these together.
final class WaitingBytes: Sendable {
  private let limit: Int
  private let count = Atomic(0)

  /// - Parameter limit: The most bytes that should wait.
  init(limit: Int) {
    self.limit = limit
  }

  /// Counts more bytes, or fewer if the difference is below 0.
  ///
  /// - Returns: Whether they are more than should wait now.
  @discardableResult
  func change(by difference: Int) -> Bool {
    count.wrappingAdd(difference, ordering: .relaxed).newValue > limit
  }

  /// Whether more bytes wait than should.
  var isExceeded: Bool { count.load(ordering: .relaxed) > limit }
}
