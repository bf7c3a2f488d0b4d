import Synchronization
import Threads
import TimeclockDomain

/// Everybody who listens to this process, by organization.
///
/// Twice a second every listener's right is judged anew, so that one who has lost it hears nothing more within a second.
final class LiveFeeds: Sendable {
  /// A listener's place, which it leaves when the object goes.
  final class Seat: Sendable {
    let listener: LiveListener
    /// The change after which the listener gets everything.
    let position: LogPlace
    private let leave: @Sendable () -> Void

    fileprivate init(
      _ listener: LiveListener, after position: LogPlace, leave: @escaping @Sendable () -> Void
    ) {
      self.listener = listener
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
  private let places = Places<Int64>()

  /// The most streams with one token at once.
  static let limitOfToken = 8
  private static let tick = Duration.milliseconds(500)
  /// The ticks after which the log is read even if nothing was announced.
  private static let ticksOfPoll = 10
  private static let keepAliveInterval = Duration.seconds(15)
  /// The listeners whose rights are judged at the same time.
  private static let judgments = 16

  init(_ timeclock: Timeclock) {
    self.timeclock = timeclock
  }

  /// Takes a listener in.
  ///
  /// - Parameters:
  ///   - token: The row of the caller's token.
  ///   - limit: The most that may listen with the token.
  /// - Throws: `TimeclockError.tooManyAtOnce` where as many listen with the token, `.unavailable` at the service's
  ///   end and as the storage does.
  func join(
    _ organization: OrganizationKey, with listener: LiveListener, token: Int64, limit: Int = limitOfToken
  ) async throws -> Seat {
    guard places.take([(token, limit)]) == nil else {
      throw TimeclockError.tooManyAtOnce(retryAfterSeconds: 5)
    }
    do {
      while true {
        let feed = try feed(of: organization)
        guard let position = try await feed.join(listener) else { continue }
        startTicking()
        return Seat(listener, after: position) { [self] in
          if feed.leave(listener) { remove(feed) }
          places.giveBack([token])
        }
      }
    } catch {
      places.giveBack([token])
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
      let feed = OrganizationFeed(of: organization, in: timeclock)
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
      }
      await judge(feeds.flatMap(\.listeners), at: now)
    }
  }

  /// Ends the listeners whose time is over or who may not listen any more.
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
