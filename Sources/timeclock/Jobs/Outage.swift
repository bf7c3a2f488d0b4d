import Logging
import Synchronization

/// Says in the log once that work fails, and once that it works again.
final class Outage: Sendable {
  private let work: String
  private let patience: String
  private let logger: Logger
  private let isOn = Atomic(false)

  /// - Parameters:
  ///   - work: The work's name in the log.
  ///   - patience: Says how often it is tried again; empty for soon.
  init(of work: String, triedAgain patience: String = "", logger: Logger) {
    self.work = work
    self.patience = patience
    self.logger = logger
  }

  /// Does the work; returns whether that has succeeded.
  func note(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
    } catch {
      begin(error)
      return false
    }
    if isOn.exchange(false, ordering: .relaxed) { logger.notice("\(work): works again") }
    return true
  }

  /// Notes that the work has failed, and is tried again.
  func begin(_ error: any Error) {
    guard !isOn.exchange(true, ordering: .relaxed) else { return }
    logger.error("\(work): failed, and is tried again\(patience): \(error)")
  }
}
