import CLinux
import Logging
import Procedures
import TimeclockDomain

extension PeriodicJob {
  /// The bytes that the allocator may keep unused.
  private static let unusedByteCount = 8 * 1_024 * 1_024

  /// Returns the jobs of a server that writes.
  ///
  /// - Parameters:
  ///   - timers: Asked to look, because announcements may have been lost.
  ///   - metrics: Gets the numbers that are counted; nil if nobody asks for them.
  static func writing(
    of timeclock: Timeclock, timers: TimerScheduler, metrics: ServiceMetrics?, logger: Logger
  ) -> [PeriodicJob] {
    let always: [PeriodicJob] = [
      .byTime("closing forgotten time entries") { now in
        let count = try await timeclock.closeForgottenEntries(at: now)
        if count > 0 { logger.notice("closed forgotten time entries count=\(count)") }
      },
      // Of entries that have not just been closed.
      .byTime("reminding of forgotten time entries") { now in
        let count = try await timeclock.remind(at: now)
        if count > 0 { logger.notice("reminded members who are clocked in for long count=\(count)") }
      },
      .byTime("looking after webhooks that a wrong clock has put off") { now in
        let count = try await timeclock.hastenWebhooks(at: now)
        if count > 0 {
          logger.warning("webhooks were due later than any may be, and are due now count=\(count)")
        }
      },
      .deletion("removing answers of yesterday's requests", timeclock.deleteExpiredAnswers),
      .deletion("removing counts of old log-in attempts", timeclock.deleteExpiredLogInAttempts),
      .deletion("removing old attempts of webhooks", timeclock.deleteExpiredWebhookAttempts),
      .deletion("removing push targets that are over", timeclock.deleteExpiredPushTargets),
      .deletion("removing old sessions of timers", timeclock.deleteExpiredTimerSessions),
      .timeless("looking for timers that are due") { timers.look() },
    ]
    guard let metrics else { return always }
    return always + [
      .count("counting open time entries over the maximum", metrics.setEntriesOverMaximum) { now in
        try await timeclock.storage.countOfEntriesOverMaximum(at: now.instant)
      },
      .count("counting webhooks that fail", metrics.setFailingWebhooks) { _ in
        try await timeclock.storage.failingWebhookCount()
      },
    ]
  }

  /// Returns the jobs of every server.
  static func reading(of timeclock: Timeclock) -> [PeriodicJob] {
    [
      // An idle server so notices that its files are gone, also while nothing is deleted.
      .timeless("looking after the database") { try await timeclock.storage.checkReadiness() },
      .timeless("giving memory back") {
        // A burst of requests leaves holes that the allocator keeps: after 5,000 streams began at once a third of it.
        linux_give_memory_back(unusedByteCount)
        StartupMemory.release()
      },
    ]
  }
}
