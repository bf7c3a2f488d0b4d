import Synchronization

/// Has changes sealed a moment after they were committed, many at once, and without anybody waiting for it.
final class SealingSchedule: Sendable {
  /// How long changes wait for others; nil has none sealed by itself.
  private let delay: Duration?
  private let isDue = Atomic(false)
  private let isClosed = Atomic(false)

  init(delay: Duration?) {
    self.delay = delay
  }

  /// Calls `seal` soon, unless it is about to be called anyway. Should it fail, what it left is sealed with the next
  /// change, or by whoever reads the log.
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
