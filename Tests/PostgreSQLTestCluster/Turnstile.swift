import Synchronization

/// Lets a number of tests at a time have a database, and the others wait: all at once they would only slow each other
/// down until something takes too long.
public final class Turnstile: Sendable {
  private struct State {
    var freeCount: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// For every test of the process that uses PostgreSQL.
  public static let shared = Turnstile(count: 4)

  private let state: Mutex<State>

  private init(count: Int) {
    state = Mutex(State(freeCount: count))
  }

  /// Goes in, as soon as there is room.
  public func enter() async {
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        guard state.freeCount == 0 else {
          state.freeCount -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isIn { continuation.resume() }
    }
  }

  /// Makes room for the one that has waited longest.
  public func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.freeCount += 1
      return nil
    }
    next?.resume()
  }
}
