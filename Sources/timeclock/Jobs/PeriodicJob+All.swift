import Logging
import TimeclockDomain

extension PeriodicJob {
  /// What the server does by itself.
  static func all(of timeclock: Timeclock, logger: Logger) -> [PeriodicJob] {
    [
      PeriodicJob(name: "closing forgotten time entries") {
        let count = try await timeclock.closeForgottenEntries()
        if count > 0 { logger.notice("closed forgotten time entries count=\(count)") }
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
