import TimeclockDomain

extension Timeclock {
  /// Removes the answers that are not kept for repetitions any more. A canceled task ends between two batches.
  package func deleteExpiredAnswers(at time: SettledInstant) async throws {
    let now = time.instant
    while !Task.isCancelled {
      let count = try await storage.deleteExpiredAnswers(at: now, limit: Self.expiredBatch)
      if count < Self.expiredBatch { return }
    }
  }

  /// The number of answers that are removed in one transaction, which others wait for.
  private static var expiredBatch: Int { 500 }
}
