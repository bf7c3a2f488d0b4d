import Synchronization
import TimeclockDomain

/// The keys of the requests that this process is answering now.
final class RequestsInProgress: Sendable {
  private let keys = Mutex<Set<IdempotencyKey>>([])

  /// Notes that a request has arrived; false if a request with the same key is being answered.
  func begin(_ key: IdempotencyKey) -> Bool {
    keys.withLock { $0.insert(key).inserted }
  }

  /// Notes that the request was answered.
  func end(_ key: IdempotencyKey) {
    keys.withLock { _ = $0.remove(key) }
  }
}
