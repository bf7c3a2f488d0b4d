import EventLoops
import TimeclockDomain

/// Has those who listen look now and then, where nobody is notified: a standby takes no `LISTEN`
/// (postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-USERS).
///
/// `@unchecked Sendable`: everything is used on the loop's thread only.
final class AnnouncementTicker: EventLoopClient, @unchecked Sendable {
  private let loop: EventLoop
  private let changeBus: ChangeBus
  private let timers: TimerNotices
  private(set) var nextDeadline: Int64 = .max

  init(on loop: EventLoop, changeBus: ChangeBus, timers: TimerNotices) {
    self.loop = loop
    self.changeBus = changeBus
    self.timers = timers
    loop.perform { [self] in
      nextDeadline = loop.now
      loop.add(self)
    }
  }

  func turnEnded() {
    guard nextDeadline <= loop.now else { return }
    nextDeadline = loop.now + Self.interval
    changeBus.announceAll()
    timers.announcements.announceAll()
  }

  /// Ends the announcements. On the loop's thread.
  func close() {
    nextDeadline = .max
  }

  private static let interval: Int64 = 2_000_000_000
}
