import HTTPMessages
import Synchronization

/// One listener's share of what is announced: bytes that wait until its connection takes them.
final class LiveListener: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var waiter: UnsafeContinuation<Void, Never>?
    var isOver = false
    /// Whether the listener was too slow.
    var isCut = false
    var lastPush = ContinuousClock.now
  }

  /// The bytes that the listener is sent of a change; nil for nothing.
  let render: @Sendable (LiveChange) -> [UInt8]?
  let access: LiveAccess
  /// The time at which it ends by itself; nil for never.
  let deadline: ContinuousClock.Instant?
  /// Whether it is told now and then that it still listens.
  let takesKeepAlive: Bool
  private let onEnd: (@Sendable () -> Void)?
  private let state = Mutex(State())

  /// The most bytes that wait; a listener that has more is cut, and resumes where it was.
  static let pendingLimit = 256 * 1_024

  /// - Parameters:
  ///   - onEnd: Called at the end, perhaps more than once, and with nothing locked.
  ///   - render: Called in the order of the changes, with the feed locked; it must return at once.
  init(
    access: LiveAccess, until deadline: ContinuousClock.Instant?, takesKeepAlive: Bool = true,
    onEnd: (@Sendable () -> Void)? = nil, render: @escaping @Sendable (LiveChange) -> [UInt8]?
  ) {
    self.takesKeepAlive = takesKeepAlive
    self.onEnd = onEnd
    self.access = access
    self.deadline = deadline
    self.render = render
  }

  /// Whether nothing more comes.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Adds bytes; ends instead where too many wait.
  func push(_ bytes: [UInt8], at now: ContinuousClock.Instant = .now) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.lastPush = now
      if state.pending.count + bytes.count > Self.pendingLimit {
        state.pending = []
        (state.isOver, state.isCut) = (true, true)
      } else if state.pending.isEmpty {
        state.pending = bytes
      } else {
        state.pending += bytes
      }
      state.waiter.take()?.resume()
    }
  }

  /// The time since the last bytes were added.
  func silence(at now: ContinuousClock.Instant) -> Duration {
    state.withLock { now - $0.lastPush }
  }

  /// Ends what `next` gives, after what waits already.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.waiter.take()?.resume()
    }
    onEnd?()
  }

  /// Waits for bytes; nil at the end, also where the task is canceled. One task at a time calls it.
  ///
  /// - Throws: `HTTPConnectionClosed` where too much waited, so that the client sees that something is missing.
  func next() async throws -> [UInt8]? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        state.withLock { state in
          guard state.pending.isEmpty, !state.isOver else { return continuation.resume() }
          state.waiter = continuation
        }
      }
    } onCancel: {
      end()
    }
    return try state.withLock { state in
      guard !state.isCut else { throw HTTPConnectionClosed() }
      defer { state.pending = [] }
      return state.pending.isEmpty ? nil : state.pending
    }
  }
}
