import Synchronization

/// Has changes sealed a moment after they were committed, many at once, and without anybody waiting for it.
final class SealingSchedule: Sendable {
  /// The time for which changes wait for others; with nil, no change is sealed by itself.
  private let delay: Duration?
  private let isDue = Atomic(false)
  private let isClosed = Atomic(false)

  init(delay: Duration?) {
    self.delay = delay
  }

  /// Calls `seal` soon, unless it is about to be called anyway. Should it fail, the changes that it left are sealed
  /// with the next change, or when the log is read.
  func noteChange(_ seal: @escaping @Sendable () async throws -> Void) {
    guard let delay, !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task {
      try? await Task.sleep(for: delay)
      isDue.store(false, ordering: .releasing)
      guard !isClosed.load(ordering: .acquiring) else { return }
      try? await seal()
    }
  }

  /// Begins nothing any more.
  ///
  /// - Returns: Whether changes wait to be sealed by it.
  func close() -> Bool {
    isClosed.store(true, ordering: .releasing)
    return isDue.load(ordering: .acquiring)
  }
}
