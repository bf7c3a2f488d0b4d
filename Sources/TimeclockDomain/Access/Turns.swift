import Synchronization

/// Work that is done for one key at a time in this process, in the order of coming; other keys do not wait.
package final class Turns<Key: Hashable & Sendable>: Sendable {
  /// By the keys that are being worked for, the callers behind that.
  private let waiting = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

  package init() {}

  /// Runs the work once all earlier work for the key has ended.
  ///
  /// - Throws: The errors of the work.
  package func inTurn<Value>(for key: Key, _ work: () async throws -> Value) async rethrows -> Value {
    await withCheckedContinuation { continuation in
      let isNext = waiting.withLock { waiting in
        guard waiting[key] != nil else {
          waiting[key] = []
          return true
        }
        waiting[key]?.append(continuation)
        return false
      }
      if isNext { continuation.resume() }
    }
    defer { end(key) }
    return try await work()
  }

  private func end(_ key: Key) {
    let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
      guard waiting[key]?.isEmpty == false else {
        waiting[key] = nil
        return nil
      }
      return waiting[key]?.removeFirst()
    }
    next?.resume()
  }
}
