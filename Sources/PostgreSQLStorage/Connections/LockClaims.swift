import EventLoops
import Synchronization
import TimeclockDomain

/// The locks that transactions of this process hold, or are about to take: other work of this process that wants the
/// same lock waits without a connection, if nothing waits for it in turn.
final class LockClaims: Sendable {
  private struct State {
    var counts: [WaitingQuery.LockOrder: Int] = [:]
    /// Loops that have something that waits for a claim to end.
    var waitingLoops: [EventLoop] = []
  }

  private let state = Mutex(State())
  /// The number of claimed locks, so that a caller that finds none need not wait for the mutex.
  private let count = Atomic(0)

  /// Whether nothing is claimed.
  var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

  /// Claims a lock, even if others have claimed it too.
  func claim(_ lock: WaitingQuery.LockOrder) -> LockClaim {
    state.withLock { add(lock, to: &$0) }
    return LockClaim(lock, of: self)
  }

  /// Claims a lock that has no claim; nil if it has one, and then `loop` turns again when that one has ended.
  func claim(ifFree lock: WaitingQuery.LockOrder, for loop: EventLoop) -> LockClaim? {
    let isFree = state.withLock { state in
      guard !isTaken(lock, &state, loop) else { return false }
      add(lock, to: &state)
      return true
    }
    return isFree ? LockClaim(lock, of: self) : nil
  }

  /// Whether somebody has claimed a lock; then `loop` turns again when that one has ended.
  func isClaimed(_ lock: WaitingQuery.LockOrder, for loop: EventLoop) -> Bool {
    guard !isEmpty else { return false }
    return state.withLock { isTaken(lock, &$0, loop) }
  }

  private func isTaken(_ lock: WaitingQuery.LockOrder, _ state: inout State, _ loop: EventLoop) -> Bool {
    guard state.counts[lock] != nil else { return false }
    if !state.waitingLoops.contains(where: { $0 === loop }) { state.waitingLoops.append(loop) }
    return true
  }

  private func add(_ lock: WaitingQuery.LockOrder, to state: inout State) {
    state.counts[lock, default: 0] += 1
    count.add(1, ordering: .relaxed)
  }

  fileprivate func release(_ lock: WaitingQuery.LockOrder) {
    let loops = state.withLock { state in
      let others = (state.counts[lock] ?? 1) - 1
      state.counts[lock] = others > 0 ? others : nil
      count.subtract(1, ordering: .relaxed)
      defer { state.waitingLoops = [] }
      return state.waitingLoops
    }
    // Its turn looks for statements to send.
    for loop in loops { loop.perform {} }
  }
}

/// A claim, for as long as this is there.
final class LockClaim: Sendable {
  private let lock: WaitingQuery.LockOrder
  private let claims: LockClaims

  fileprivate init(_ lock: WaitingQuery.LockOrder, of claims: LockClaims) {
    self.lock = lock
    self.claims = claims
  }

  deinit {
    claims.release(lock)
  }
}
