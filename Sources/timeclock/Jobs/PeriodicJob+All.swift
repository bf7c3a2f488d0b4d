import CLinux
import Logging
import TimeclockDomain

extension PeriodicJob {
  /// The bytes that the allocator may keep unused.
  private static let unusedByteCount = 8 * 1_024 * 1_024

  /// Returns the jobs of the server.
  ///
  /// - Parameters:
  ///   - timers: Is told to look, because announcements may have been lost.
  ///   - watch: Tells whether the clock is to be trusted.
  ///   - metrics: Gets the number that is counted; nil if nobody asks for it.
  static func all(
    of timeclock: Timeclock, timers: TimerScheduler, watch: ClockWatch, metrics: ServiceMetrics?,
    logger: Logger
  ) -> [PeriodicJob] {
    let always = [
      PeriodicJob(name: "closing and reminding of forgotten time entries") {
        switch try await timeclock.closeForgottenEntries(watching: watch) {
        case .closed(let count):
          if count > 0 { logger.notice("closed forgotten time entries count=\(count)") }
          // By a clock that is trusted, and of entries that have not been closed.
          let reminders = try await timeclock.remind()
          if reminders > 0 {
            logger.notice("reminded members who are clocked in for long count=\(reminders)")
          }
        case .heldBack(.moved(let milliseconds)):
          logger.warning(
            "forgotten time entries wait a minute: the clock has moved by \(milliseconds / 1_000) s while it was not looked at"
          )
        case .heldBack(.ahead(let milliseconds)):
          logger.notice(
            "forgotten time entries wait a minute: by the clock the newest change is \(milliseconds / 1_000) s old"
          )
        }
      },
      PeriodicJob(name: "removing answers of yesterday's requests") {
        try await timeclock.deleteExpiredAnswers()
      },
      PeriodicJob(name: "removing counts of old log-in attempts") {
        try await timeclock.deleteExpiredLogInAttempts()
      },
      PeriodicJob(name: "looking after webhooks that a wrong clock has put off") {
        let count = try await timeclock.hastenWebhooks()
        if count > 0 {
          logger.warning("webhooks were due later than any may be, and are due now count=\(count)")
        }
      },
      PeriodicJob(name: "removing old attempts of webhooks") {
        try await timeclock.deleteExpiredWebhookAttempts()
      },
      PeriodicJob(name: "removing push targets that are over") {
        try await timeclock.deleteExpiredPushTargets()
      },
      PeriodicJob(name: "removing old sessions of timers") {
        try await timeclock.deleteExpiredTimerSessions()
      },
      PeriodicJob(name: "looking for timers that are due") { timers.look() },
      PeriodicJob(name: "giving memory back") {
        // A burst of requests leaves holes that the allocator keeps: after 5,000 streams began at once a third of it.
        linux_give_memory_back(unusedByteCount)
        StartupMemory.release()
      },
    ]
    guard let metrics else { return always }
    return always + [
      PeriodicJob(name: "counting open time entries over the maximum") {
        let now = timeclock.clock.now
        metrics.setEntriesOverMaximum(try await timeclock.storage.countOfEntriesOverMaximum(at: now))
      }
    ]
  }
}
