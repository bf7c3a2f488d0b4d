import Logging
import Synchronization
import TimeclockDomain

/// Brings timers to the present whose time has come, until it is stopped: they finish, leave their sessions, and start
/// the next timer.
///
/// It sleeps as long as no timer runs: the storage announces when a written one is due. Several servers on one database
/// do the same and share the timers due at once. While the clock is in doubt no timer ends by it.
final class TimerScheduler: Sendable {
  private let timeclock: Timeclock
  private let watch: ClockWatch
  private let logger: Logger
  private let onChange: @Sendable ([ChangedTimer]) -> Void
  private let alarm: Alarm
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let listening = Mutex<DueTimerBus.Listening?>(nil)

  /// The most timers that one transaction brings to the present.
  private static let batchSize = 500
  /// The time between two looks at the clock while a timer runs: a clock that is set forward is noticed.
  private static let longestSleep: Duration = .seconds(1)
  /// The time between two looks for timers that are due: changes by others are done by then.
  private static let pause: Duration = .milliseconds(100)
  /// The time after which a look is tried again that has failed, or met a clock in doubt.
  private static let patience: Duration = .seconds(1)

  /// Starts to look after timers.
  ///
  /// - Parameter onChange: Gets the timers that have changed, after the commit; it must return soon.
  init(
    of timeclock: Timeclock, watch: ClockWatch, logger: Logger,
    onChange: @escaping @Sendable ([ChangedTimer]) -> Void = { _ in }
  ) {
    self.timeclock = timeclock
    self.watch = watch
    self.logger = logger
    self.onChange = onChange
    let alarm = Alarm()
    // The present timers.
    alarm.set(nil)
    self.alarm = alarm
    listening.withLock { listening in
      listening = timeclock.storage.listenToDueTimers { [alarm] in alarm.set($0) }
    }
    let work = Task { [self] in await run() }
    task.withLock { $0 = work }
  }

  /// Looks for the next timer that is due, because announcements may have been lost.
  func look() {
    alarm.set(nil)
  }

  /// Begins nothing more.
  func cancel() {
    listening.withLock { $0 = nil }
    task.withLock { $0 }?.cancel()
  }

  /// Begins nothing more, and waits for work under way.
  func stop() async {
    cancel()
    await task.withLock { $0 }?.value
  }

  private func run() async {
    var hasFailed = false
    while !Task.isCancelled {
      await alarm.wait(by: timeclock.clock, atMost: Self.longestSleep)
      guard !Task.isCancelled else { return }
      guard case .success(let now) = watch.trusted() else {
        alarm.set(nil)
        try? await Task.sleep(for: Self.patience)
        continue
      }
      do {
        try await bringToPresent(at: now)
        if hasFailed { logger.notice("finishing timers: works again") }
        hasFailed = false
        try? await Task.sleep(for: Self.pause)
      } catch {
        if !hasFailed { logger.error("finishing timers: failed, and is tried again: \(error)") }
        hasFailed = true
        alarm.set(nil)
        try? await Task.sleep(for: Self.patience)
      }
    }
  }

  private func bringToPresent(at now: TrustedInstant) async throws {
    var count = 0
    repeat {
      let changed = try await timeclock.foldDueTimers(at: now, limit: Self.batchSize)
      count = changed.count
      if count > 0 { onChange(changed) }
    } while count == Self.batchSize && !Task.isCancelled
    if let due = try await timeclock.storage.nextDueTimer() { alarm.set(due) }
  }
}
