import Synchronization
import TimeclockDomain

/// A storage that notes which methods are called.
package final class RecordingStorage: StorageInFront {
  package let base: any Storage
  private let names = Mutex<[String]>([])

  /// A storage in front of another, with nothing noted.
  package init(_ base: any Storage) {
    self.base = base
  }

  /// The full names of the methods called so far, in their order.
  package var calledMethods: [String] { names.withLock { $0 } }

  package func enter(_ method: String) {
    names.withLock { $0.append(method) }
  }
}
