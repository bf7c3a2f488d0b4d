import Procedures
import Synchronization
import TimeclockDomain

/// Sends one listener its member's own timer. It reads the timer when something is announced, and writes it if it
/// differs from the last one written.
final class TimerFeed: Sendable {
  private struct State {
    /// The tag of the last timer written.
    var tag: String
    var isReading = false
    /// Whether it may have changed since the last reading.
    var isDue = false
  }

  private let timeclock: Timeclock
  private let caller: Membership
  private let listener: LiveListener
  private let state: Mutex<State>
  private let listening = Mutex<TimerBus.Listening?>(nil)

  /// Begins to listen.
  ///
  /// - Returns: The feed, which goes on as long as somebody keeps it, and the timer as it is known to its listener.
  static func begin(
    for caller: Membership, telling listener: LiveListener, _ timeclock: Timeclock
  ) async throws -> (feed: TimerFeed, timer: CurrentTimer) {
    let feed = TimerFeed(for: caller, telling: listener, timeclock)
    // A change between the two is read once more.
    let place = timeclock.storage.listen(toTimerOf: caller.key) { [weak feed] in feed?.wake() }
    feed.listening.withLock { $0 = place }
    let timer = try await timeclock.currentTimer(for: caller)
    feed.state.withLock { $0.tag = timer.entityTag }
    feed.goOn()
    return (feed, timer)
  }

  private init(for caller: Membership, telling listener: LiveListener, _ timeclock: Timeclock) {
    self.timeclock = timeclock
    self.caller = caller
    self.listener = listener
    // Nothing is written before the first reading is over.
    state = Mutex(State(tag: "", isReading: true))
  }

  private func wake() {
    let begins = state.withLock { state in
      guard !state.isReading else {
        state.isDue = true
        return false
      }
      state.isReading = true
      return true
    }
    // Detached from the request that has changed the timer, and from its deadline.
    if begins { Task.detached { await self.read() } }
  }

  /// Ends a reading, and reads again if that is due.
  private func goOn() {
    let isDue = state.withLock { state in
      defer { state.isDue = false }
      state.isReading = false
      return state.isDue
    }
    if isDue { wake() }
  }

  private func read() async {
    for attempt in 0..<Self.attempts where !listener.isOver {
      if attempt > 0 { try? await Task.sleep(for: Self.pause) }
      guard let timer = try? await timeclock.currentTimer(for: caller) else { continue }
      let tag = timer.entityTag
      let isNews = state.withLock { state in
        defer { state.tag = tag }
        return state.tag != tag
      }
      if isNews { listener.push(EventFrame.timer(timer)) }
      return goOn()
    }
    // A storage that cannot be read for so long: the client connects again, and gets the timer with its snapshot.
    listener.end()
    goOn()
  }

  /// The readings that may fail before the listener is let go, and the time between two.
  private static let attempts = 20
  private static let pause = Duration.milliseconds(500)
}
