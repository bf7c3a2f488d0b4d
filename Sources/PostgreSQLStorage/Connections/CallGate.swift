import Synchronization

/// Counts the calls that are inside, and lets one caller wait until all have left.
final class CallGate: Sendable {
  private struct State {
    var isClosed = false
    var count = 0
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Goes in; false once the gate is closed.
  func enter() -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.count += 1
      return true
    }
  }

  /// Leaves, after an `enter` that was true.
  func leave() {
    let waiter = state.withLock { state in
      state.count -= 1
      return state.count == 0 ? state.waiter.take() : nil
    }
    waiter?.resume()
  }

  /// Lets nobody in any more, and returns when all have left. Call it once.
  func closeWhenLeft() async {
    await withUnsafeContinuation { continuation in
      let isEmpty = state.withLock { state in
        state.isClosed = true
        if state.count > 0 { state.waiter = continuation }
        return state.count == 0
      }
      if isEmpty { continuation.resume() }
    }
  }
}
