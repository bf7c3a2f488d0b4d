import Logging
import Procedures
import Synchronization
import TimeclockDomain

/// Logs trouble with messages to phones, each reason once in a while.
final class PushLog: Sendable {
  let outage: Outage
  private let logger: Logger
  /// The times at which reasons were written down.
  private let reasons = Mutex<[String: ContinuousClock.Instant]>([:])

  /// The time for which a reason is not written down again.
  private static let silence: Duration = .seconds(60)
  /// The most reasons that are logged separately.
  private static let reasonLimit = 100

  init(_ logger: Logger) {
    self.logger = logger
    outage = Outage(of: "sending to phones", logger: logger)
  }

  /// Notes the outcome of a message that was refused.
  func note(_ trouble: PushTrouble) {
    let outcome = trouble.outcome
    let now = ContinuousClock.now
    let isNews = reasons.withLock { reasons in
      if let last = reasons[outcome.reason], now - last < Self.silence { return false }
      if reasons.count >= Self.reasonLimit { reasons = [:] }
      reasons[outcome.reason] = now
      return true
    }
    guard isNews else { return }
    switch outcome.verdict {
    case .gone: logger.info("push target \(trouble.target): gone: \(outcome.reason)")
    case .later: logger.warning("push target \(trouble.target): tried again later: \(outcome.reason)")
    case .refused: logger.warning("push target \(trouble.target): refused: \(outcome.reason)")
    case .taken: break
    }
  }
}
