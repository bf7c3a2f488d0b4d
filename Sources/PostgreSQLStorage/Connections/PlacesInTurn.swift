import Synchronization
import Threads
import TimeclockDomain

/// A few places for work that must not take everything: `limit` at once, `limitOfOne` of one owner, and work that finds
/// none waits, by owner in turn.
final class PlacesInTurn<Owner: Hashable & Sendable>: Sendable {
  private struct Waiter {
    let owner: Owner
    let number: Int
    let continuation: UnsafeContinuation<Void, any Error>
  }

  private struct State {
    var taken: [Owner: Int] = [:]
    var takenCount = 0
    var waiting = QueueInTurn<Owner, Waiter>()
    var nextNumber = 0
  }

  private let limit: Int
  private let limitOfOne: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: The number of places.
  ///   - limitOfOne: The most places that one owner has.
  init(limit: Int, limitOfOne: Int) {
    self.limit = limit
    self.limitOfOne = limitOfOne
  }

  /// Does work in a place, which is given back however the work ends.
  ///
  /// - Parameter time: The longest wait for a place.
  /// - Throws: `TimeclockError.unavailable` if none came free in that time, or the task was canceled while it
  ///   waited; then `work` was not begun. Else any error of `work`.
  nonisolated(nonsending) func withPlace<Value>(
    of owner: Owner, within time: Duration, _ work: () async throws -> Value
  ) async throws -> Value {
    try await take(owner, within: time)
    defer { giveBack(owner) }
    return try await work()
  }

  /// The number of places that are taken, and the number of calls that wait for one.
  var load: (takenCount: Int, waitingCount: Int) {
    state.withLock { ($0.takenCount, $0.waiting.count) }
  }

  private nonisolated(nonsending) func take(_ owner: Owner, within time: Duration) async throws {
    let end = ContinuousClock.now + time
    let number: Int? = state.withLock { state in
      if takeFree(owner, &state) { return nil }
      state.nextNumber += 1
      return state.nextNumber
    }
    guard let number else { return }
    let timer = Task { [weak self] in
      try await Task.sleep(until: end, clock: .continuous)
      self?.giveUp(number)
    }
    defer { timer.cancel() }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if takeFree(owner, &state) { return .success(()) }
          // A timeout or a cancellation from here on finds the waiter in the queue.
          guard !Task.isCancelled, ContinuousClock.now < end else { return .failure(Self.refusal) }
          state.waiting.append(Waiter(owner: owner, number: number, continuation: continuation), of: owner)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func giveBack(_ owner: Owner) {
    let next: Waiter? = state.withLock { state in
      state.takenCount -= 1
      let own = state.taken[owner] ?? 0
      state.taken[owner] = own > 1 ? own - 1 : nil
      let taken = state.taken
      let next = state.waiting.takeFirst { owner, _ in taken[owner] ?? 0 < limitOfOne }
      if let next { note(next.owner, &state) }
      return next
    }
    next?.continuation.resume()
  }

  private func giveUp(_ number: Int) {
    let waiter = state.withLock { $0.waiting.removeAll { $0.number == number }.first }
    waiter?.continuation.resume(throwing: Self.refusal)
  }

  /// Takes a place that nobody else waits for with a better right. False if there is none.
  private func takeFree(_ owner: Owner, _ state: inout State) -> Bool {
    // While places are free, an owner that waits has as many as one owner may have.
    guard state.takenCount < limit, state.taken[owner] ?? 0 < limitOfOne else { return false }
    note(owner, &state)
    return true
  }

  private func note(_ owner: Owner, _ state: inout State) {
    state.takenCount += 1
    state.taken[owner, default: 0] += 1
  }

  private static var refusal: TimeclockError { .unavailable(retryAfterSeconds: 1) }
}
