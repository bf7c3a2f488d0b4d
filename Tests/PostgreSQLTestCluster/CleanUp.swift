import Foundation
import Synchronization

/// The work at the end of the process.
final class CleanUp: Sendable {
  static let shared = CleanUp()

  private let actions = Mutex<[@Sendable () -> Void]>([])

  private init() {
    atexit { CleanUp.shared.run() }
  }

  func add(_ action: @escaping @Sendable () -> Void) {
    actions.withLock { $0.append(action) }
  }

  private func run() {
    let actions = actions.withLock { actions in
      defer { actions = [] }
      return actions
    }
    for action in actions { action() }
  }
}
