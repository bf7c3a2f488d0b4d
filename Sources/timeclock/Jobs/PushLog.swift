import Logging
import Synchronization
import TimeclockDomain

/// Logs trouble with messages to phones, each reason once in a while.
final class PushLog: Sendable {
  private struct State {
    var hasFailed = false
    /// The times at which reasons were written down.
    var reasons: [String: ContinuousClock.Instant] = [:]
  }

  private let logger: Logger
  private let state = Mutex(State())

  /// The time for which a reason is not written down again.
  private static let silence: Duration = .seconds(60)
  /// The most reasons that are logged separately.
  private static let reasonLimit = 100

  init(_ logger: Logger) {
    self.logger = logger
  }

  /// Notes that the database answers.
  func works() {
    let isNews = state.withLock { state in
      defer { state.hasFailed = false }
      return state.hasFailed
    }
    if isNews { logger.notice("sending to phones: works again") }
  }

  /// Notes that something has failed, and is tried again.
  func failed(_ error: any Error) {
    let isNews = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
    if isNews { logger.error("sending to phones: failed, and is tried again: \(error)") }
  }

  /// Notes the outcome of a message that was refused.
  func note(_ trouble: PushTrouble) {
    let outcome = trouble.outcome
    let now = ContinuousClock.now
    let isNews = state.withLock { state in
      if let last = state.reasons[outcome.reason], now - last < Self.silence { return false }
      if state.reasons.count >= Self.reasonLimit { state.reasons = [:] }
      state.reasons[outcome.reason] = now
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
