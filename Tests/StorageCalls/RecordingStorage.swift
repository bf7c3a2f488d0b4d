import Procedures
import Synchronization
import TimeclockDomain

/// The methods that were called of a storage.
package final class CalledMethods: Sendable {
  private let noted = Mutex<[String]>([])

  /// Nothing called yet.
  package init() {}

  /// The full names of the methods called so far, in their order.
  package var names: [String] { noted.withLock { $0 } }

  fileprivate func note(_ method: String) { noted.withLock { $0.append(method) } }
}

extension Storage {
  /// The storage, with its calls noted.
  package func noting(in called: CalledMethods) -> any Storage {
    RecordingStorage(base: self, called: called)
  }
}

private struct RecordingStorage<Base: Storage>: StorageInFront {
  let base: Base
  let called: CalledMethods

  func enter(_ method: String) { called.note(method) }
}
