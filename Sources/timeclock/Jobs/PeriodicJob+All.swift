import Logging
import TimeclockDomain

extension PeriodicJob {
  /// Returns the jobs of the server.
  ///
  /// - Parameter watch: Tells whether the clock is to be trusted.
  static func all(of timeclock: Timeclock, watch: ClockWatch, logger: Logger) -> [PeriodicJob] {
    [
      PeriodicJob(name: "closing forgotten time entries") {
        switch try await timeclock.closeForgottenEntries(watching: watch) {
        case .closed(let count):
          if count > 0 { logger.notice("closed forgotten time entries count=\(count)") }
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
    ]
  }
}
