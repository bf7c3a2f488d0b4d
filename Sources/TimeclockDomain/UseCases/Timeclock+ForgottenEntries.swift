extension Timeclock {
  /// Clocks out everybody who has been clocked in for longer than the policy of their organisation waits.
  ///
  /// An organisation where it fails does not keep the others from their turn. A cancelled task ends between two
  /// batches.
  ///
  /// - Returns: How many entries were closed.
  /// - Throws: What went wrong first.
  package func closeForgottenEntries() async throws -> Int {
    let now = clock.now
    let context = ChangeContext(author: .service, operation: "autoClockOut", time: now)
    var count = 0
    var failure: (any Error)?
    for organization in try await storage.organizationsWithForgottenEntries(at: now) {
      do {
        var isDone = false
        while !isDone, !Task.isCancelled {
          let closed = try await storage.closeForgottenEntries(
            in: organization, limit: Self.forgottenBatch, context: context)
          count += closed.count
          isDone = closed.count < Self.forgottenBatch
        }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return count
  }

  /// How many entries are closed in one transaction, which others wait for.
  private static var forgottenBatch: Int { 50 }
}
