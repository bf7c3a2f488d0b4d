import Procedures
import Synchronization
import Threads
import TimeclockDomain

/// Everybody who listens to this process, by organization.
///
/// Twice a second every listener's right is judged again, so that a listener that has lost it gets nothing more within
/// a second.
final class LiveFeeds: Sendable {
  /// A listener's place, which it leaves when the object goes.
  final class Seat: Sendable {
    let listener: LiveListener
    let feed: OrganizationFeed
    /// The change after which the feed has everything for the listener.
    let position: LogPlace
    private let leave: @Sendable () -> Void

    fileprivate init(
      _ listener: LiveListener, at feed: OrganizationFeed, after position: LogPlace,
      leave: @escaping @Sendable () -> Void
    ) {
      self.listener = listener
      self.feed = feed
      self.position = position
      self.leave = leave
    }

    deinit {
      leave()
    }
  }

  private struct State {
    var feeds: [OrganizationKey: OrganizationFeed] = [:]
    var isTicking = false
    var isOver = false
  }

  private let timeclock: Timeclock
  private let state = Mutex(State())
  private let places = Places<LivePlace.Holder>()
  /// Bytes that listeners have not taken yet, of all organizations.
  private let waitingBytes = WaitingBytes(limit: 32 * 1_024 * 1_024)

  private static let tick = Duration.milliseconds(250)
  /// The ticks after which rights are judged again, and those after which the log is read even if nothing was announced.
  private static let ticksOfJudgment = 2
  private static let ticksOfPoll = 20
  private static let keepAliveInterval = Duration.seconds(15)
  /// The listeners whose rights are judged at the same time.
  private static let judgments = 16

  init(_ timeclock: Timeclock) {
    self.timeclock = timeclock
  }

  /// Takes a listener in.
  ///
  /// - Throws: `TimeclockError.tooManyAtOnce` if as many listen with the token, or in the person's name, as may;
  ///   `.unavailable` at the service's end and as the storage does.
  func join(
    _ organization: OrganizationKey, with listener: LiveListener, at place: LivePlace
  ) async throws -> Seat {
    guard places.take(place.limits) == nil else {
      throw TimeclockError.tooManyAtOnce(retryAfterSeconds: 5)
    }
    let holders = place.limits.map(\.key)
    do {
      while true {
        let feed = try feed(of: organization)
        guard let position = try await feed.join(listener) else { continue }
        startTicking()
        return Seat(listener, at: feed, after: position) { [self] in
          if feed.leave(listener) { remove(feed) }
          places.giveBack(holders)
        }
      }
    } catch {
      places.giveBack(holders)
      throw error
    }
  }

  /// Ends every listener, and takes none in any more.
  func end() {
    let feeds = state.withLock { state in
      state.isOver = true
      return Array(state.feeds.values)
    }
    for feed in feeds { feed.listeners.forEach { $0.end() } }
  }

  private func feed(of organization: OrganizationKey) throws -> OrganizationFeed {
    try state.withLock { state in
      guard !state.isOver else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
      if let feed = state.feeds[organization] { return feed }
      let feed = OrganizationFeed(of: organization, in: timeclock, waitingBytes)
      state.feeds[organization] = feed
      return feed
    }
  }

  private func remove(_ feed: OrganizationFeed) {
    state.withLock { state in
      if state.feeds[feed.organization] === feed { state.feeds[feed.organization] = nil }
    }
  }

  private func startTicking() {
    let begins = state.withLock { state in
      defer { state.isTicking = true }
      return !state.isTicking
    }
    if begins { Task.detached { await self.runTicks() } }
  }

  /// Looks after listeners as long as there are some.
  private func runTicks() async {
    var count = 0
    while true {
      try? await Task.sleep(for: Self.tick)
      count += 1
      let feeds = state.withLock { state in
        if state.feeds.isEmpty { state.isTicking = false }
        return Array(state.feeds.values)
      }
      guard !feeds.isEmpty else { return }
      let now = ContinuousClock.now
      for feed in feeds {
        count.isMultiple(of: Self.ticksOfPoll) ? feed.wake() : feed.wakeIfDue()
        feed.keepAlive(after: Self.keepAliveInterval, at: now, EventFrame.keepAlive)
        feed.clearUp()
      }
      let listeners = feeds.flatMap(\.listeners)
      // A listener that is still there a tick after the end waits for a client that takes nothing.
      for listener in listeners where listener.isOver { listener.cut() }
      if count.isMultiple(of: Self.ticksOfJudgment) { await judge(listeners, at: now) }
    }
  }

  /// Ends the listeners that are out of time or no longer allowed to listen.
  private func judge(_ listeners: [LiveListener], at now: ContinuousClock.Instant) async {
    await withDiscardingTaskGroup { group in
      for first in 0..<min(Self.judgments, listeners.count) {
        group.addTask {
          for index in stride(from: first, to: listeners.count, by: Self.judgments) {
            let listener = listeners[index]
            let isOverdue = listener.deadline.map { $0 <= now } ?? false
            if isOverdue { listener.end() } else if await !listener.access.holds { listener.end() }
          }
        }
      }
    }
  }
}
