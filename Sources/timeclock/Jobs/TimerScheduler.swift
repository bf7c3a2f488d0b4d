import Logging
import Procedures
import TimeclockDomain

/// Brings timers to the present whose time has come: they finish, leave their sessions, and start
/// the next timer.
///
/// It sleeps as long as no timer runs: the storage announces when a written one is due. Several servers on one database
/// do the same and share the timers due at once. While the clock is in doubt no timer ends by it.
struct TimerScheduler: Sendable {
  let worker: Worker
  private let alarm: Alarm

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
    let alarm = Alarm()
    self.alarm = alarm
    // The present timers.
    alarm.set(nil)
    let listening = timeclock.storage.listenToDueTimers { alarm.set($0) }
    let outage = Outage(of: "finishing timers", logger: logger)
    worker = Worker { _ in
      // As long as it works, it listens.
      withExtendedLifetime(listening) {}
      await alarm.wait(by: timeclock.clock, atMost: Self.longestSleep)
      if !Task.isCancelled, case .success(let now) = watch.trusted(),
        await outage.note({
          if let due = try await Self.bringToPresent(timeclock, at: now, onChange) { alarm.set(due) }
        })
      {
        return Self.pause
      }
      alarm.set(nil)
      return Self.patience
    }
  }

  /// Looks for the next timer that is due, because announcements may have been lost.
  func look() {
    alarm.set(nil)
  }

  /// - Returns: The time at which the next timer is due; nil if none is.
  private static func bringToPresent(
    _ timeclock: Timeclock, at now: TrustedInstant, _ onChange: ([ChangedTimer]) -> Void
  ) async throws -> Instant? {
    var count = 0
    repeat {
      let changed = try await timeclock.foldDueTimers(at: now, limit: batchSize)
      count = changed.count
      if count > 0 { onChange(changed) }
    } while count == batchSize && !Task.isCancelled
    return try await timeclock.storage.nextDueTimer()
  }
}
