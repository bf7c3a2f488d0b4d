import Synchronization

/// Has changes sealed a moment after they were committed, many at once, and without anybody waiting for it.
final class SealingSchedule: Sendable {
  /// The outcome of a look for changes to seal.
  enum Look: Sendable {
    /// There were none.
    case nothing
    /// All that there were are sealed.
    case sealed
    /// Another process is at it.
    case left
  }

  /// The time for which changes wait for others; with nil, no change is sealed by itself.
  private let delay: Duration?

  private struct State {
    /// Whether a change was noted since the last look began.
    var isNoted = false
    /// Whether looks go on.
    var isLooking = false
    var isClosed = false

    /// The pause before the next look; nil if none is needed.
    mutating func pause(after look: Look, _ delay: Duration) -> Duration? {
      guard !isClosed else { return nil }
      switch look {
      case .sealed: return delay
      case .left: return .milliseconds(Int64.random(in: SealingSchedule.pausesOfOthers))
      case .nothing:
        isLooking = isNoted
        return isNoted ? delay : nil
      }
    }
  }

  private let state = Mutex(State())

  /// The milliseconds before another look when another process is at it, or a look has failed. Left to chance, so that
  /// many processes do not ask at once.
  private static let pausesOfOthers: ClosedRange<Int64> = 400...800

  init(delay: Duration?) {
    self.delay = delay
  }

  /// Calls `look` soon, and again until it has found nothing; unless it is about to be called anyway.
  ///
  /// A look that found something is followed by one more, so another process that has left the work to this one meanwhile has
  /// its changes sealed. One that has left it looks again itself, for the other may have ended.
  func noteChange(_ look: @escaping @Sendable () async throws -> Look) {
    guard let delay else { return }
    let begins = state.withLock { state in
      state.isNoted = true
      defer { state.isLooking = true }
      return !state.isLooking && !state.isClosed
    }
    // Detached from the request in which the change was made, and from its deadline.
    if begins { Task.detached { [self] in await run(look, delay) } }
  }

  private func run(_ look: @Sendable () async throws -> Look, _ delay: Duration) async {
    var pause = delay
    while true {
      try? await Task.sleep(for: pause)
      let isClosed = state.withLock { state in
        state.isNoted = false
        return state.isClosed
      }
      guard !isClosed else { return }
      let found = (try? await look()) ?? .left
      guard let next = state.withLock({ $0.pause(after: found, delay) }) else { return }
      pause = next
    }
  }

  /// Begins nothing any more.
  ///
  /// - Returns: Whether changes may wait to be sealed by it.
  func close() -> Bool {
    state.withLock { state in
      state.isClosed = true
      return state.isLooking
    }
  }
}
