import HTTPMessages
import Synchronization

/// One who listens to an organization: to its changes, and to some events that are for this listener alone.
final class LiveListener: Sendable {
  /// The way on which changes come to a listener.
  enum Delivery: Sendable {
    /// The listener takes them out of the feed's ring in its own time.
    ///
    /// - Parameter render: The bytes that the listener is sent of a change; nil for nothing.
    case taken(render: @Sendable (LiveChange) -> [UInt8]?)
    /// The feed hands each over.
    ///
    /// - Parameter take: Called in the order of the changes, with the feed locked; it must return at once.
    case handedOver(take: @Sendable (LiveChange) -> Void)
  }

  private struct State {
    /// The events for the listener alone that wait.
    var own: [UInt8] = []
    /// The change up to which the listener has taken everything.
    var place: Int64 = 0
    /// Whether the listener takes from the ring, and not out of the log, as it does after missing much.
    var isLive = false
    /// Whether the ring may hold more behind the place.
    var hasNews = true
    var waiter: UnsafeContinuation<Void, Never>?
    var isOver = false
    /// Whether the listener was too slow.
    var isCut = false
    var lastNews = ContinuousClock.now
    /// Ends the connection, even while it waits.
    var cut: (@Sendable () -> Void)?
  }

  let delivery: Delivery
  let access: LiveAccess
  /// The time at which it ends by itself; nil for never.
  let deadline: ContinuousClock.Instant?
  private let onEnd: (@Sendable () -> Void)?
  private let state = Mutex(State())

  /// The most bytes of events for the listener alone that wait; a listener that has more is cut, and resumes where it was.
  static let ownLimit = 16 * 1_024
  /// The bytes after which a listener takes no further change at once.
  private static let portionByteCount = 16 * 1_024

  /// - Parameter onEnd: Called at the end, perhaps more than once, and with nothing locked.
  init(
    access: LiveAccess, until deadline: ContinuousClock.Instant?, onEnd: (@Sendable () -> Void)? = nil,
    _ delivery: Delivery
  ) {
    self.onEnd = onEnd
    self.access = access
    self.deadline = deadline
    self.delivery = delivery
  }

  /// Whether nothing more comes.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// The change up to which the listener has taken everything; nil for one that takes nothing out of the ring, because all is
  /// handed to it, and for one that is still reading the log.
  var placeInRing: Int64? { state.withLock { $0.isLive ? $0.place : nil } }

  /// Begins to take changes out of the feed's ring.
  ///
  /// - Parameter sequence: The change up to which the listener has everything.
  func goLive(after sequence: Int64) {
    state.withLock { state in
      (state.place, state.isLive, state.hasNews) = (sequence, true, true)
      state.lastNews = .now
    }
  }

  /// Sets the function that ends the connection; nil when that has ended.
  func canBeCut(by cut: (@Sendable () -> Void)?) { state.withLock { $0.cut = cut } }

  /// Adds an event for this listener alone; ends instead if too many wait.
  func push(_ bytes: [UInt8]) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.lastNews = .now
      state.own += bytes
      if state.own.count > Self.ownLimit {
        state.own = []
        (state.isOver, state.isCut) = (true, true)
      }
      state.waiter.take()?.resume()
    }
  }

  /// Says that there is more in the ring.
  func wake() {
    state.withLock { state in
      state.hasNews = true
      state.waiter.take()?.resume()
    }
  }

  /// Adds a sign of life if the listener has everything up to `sequence` and was sent nothing for some time.
  func keepAlive(
    through sequence: Int64, after silence: Duration, at now: ContinuousClock.Instant, _ frame: [UInt8]
  ) {
    state.withLock { state in
      guard state.isLive, !state.isOver, !state.hasNews, state.place == sequence, state.own.isEmpty,
        now - state.lastNews >= silence
      else { return }
      state.lastNews = now
      state.own = frame
      state.waiter.take()?.resume()
    }
  }

  /// Ends the sequence of `next`.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.own = []
      state.waiter.take()?.resume()
    }
    onEnd?()
  }

  /// Ends the connection now, even while it waits.
  func cut() {
    let cut = state.withLock { state in
      (state.isOver, state.isCut) = (true, true)
      state.waiter.take()?.resume()
      return state.cut.take()
    }
    cut?()
  }

  /// Waits for events; nil at the end, also if the task is canceled. One task at a time calls it.
  ///
  /// - Throws: `HTTPConnectionClosed` if too much came before it was taken, so that the client sees that something is
  ///   missing.
  func next(from feed: OrganizationFeed) async throws -> [UInt8]? {
    while true {
      await waitForNews()
      let (own, place) = try state.withLock { state in
        guard !state.isCut else { throw HTTPConnectionClosed() }
        defer { (state.own, state.hasNews) = ([], false) }
        return (state.isOver ? nil : state.own, state.place)
      }
      guard let own else { return nil }
      guard let portion = feed.portion(after: place) else { throw HTTPConnectionClosed() }
      let bytes = take(portion, behind: own)
      if !bytes.isEmpty { return bytes }
    }
  }

  private func waitForNews() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        state.withLock { state in
          guard state.own.isEmpty, !state.hasNews, !state.isOver else { return continuation.resume() }
          state.waiter = continuation
        }
      }
    } onCancel: {
      end()
    }
  }

  /// The bytes of some changes of a portion, behind others.
  private func take(_ portion: ChangeRing.Portion, behind others: [UInt8]) -> [UInt8] {
    guard case .taken(let render) = delivery else { return others }
    var bytes = others
    var taken = 0
    for change in portion.changes where bytes.count < Self.portionByteCount {
      if let frame = render(change) { bytes += frame }
      taken += 1
    }
    if let last = portion.changes.prefix(taken).last {
      state.withLock { state in
        state.place = last.change.sequence
        state.lastNews = .now
        if portion.hasMore || taken < portion.changes.count { state.hasNews = true }
      }
    }
    return bytes
  }
}
